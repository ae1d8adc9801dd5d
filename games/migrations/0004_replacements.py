"""A deal replaces only one of its own day and challenge, and only before anybody has begun it."""

from django.db import migrations

from pyramid_site.append_only import on_postgresql

FUNCTION = """
CREATE FUNCTION check_replacement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT 1 FROM games_dailydeal
        WHERE id = NEW.replaces_id AND date = NEW.date AND challenge_id = NEW.challenge_id
    ) OR EXISTS (SELECT 1 FROM games_attempt WHERE deal_id = NEW.replaces_id) THEN
        RAISE EXCEPTION 'a deal replaces one of its own day that nobody has begun'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$
"""
TRIGGER = """
CREATE TRIGGER replaces_its_like BEFORE INSERT ON games_dailydeal
FOR EACH ROW WHEN (NEW.replaces_id IS NOT NULL) EXECUTE FUNCTION check_replacement()
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0003_append_only")]
    operations = [
        migrations.RunPython(
            on_postgresql(FUNCTION, TRIGGER),
            on_postgresql(
                "DROP TRIGGER replaces_its_like ON games_dailydeal",
                "DROP FUNCTION check_replacement()",
            ),
        )
    ]
