"""Deals that take the place of others before their day, and deals written by hand."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

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
    dependencies = [("games", "0010_paused_challenges")]
    operations = [
        migrations.AddIndex(
            model_name="dailydeal",
            index=models.Index(fields=["date", "challenge"], name="deals_of_a_day"),
        ),
        migrations.RemoveConstraint(model_name="dailydeal", name="one_deal_a_day"),
        migrations.AddField(
            model_name="dailydeal",
            name="replaces",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="replacement",
                to="games.dailydeal",
            ),
        ),
        migrations.AddConstraint(
            model_name="dailydeal",
            constraint=models.UniqueConstraint(
                fields=["date", "challenge"], condition=Q(replaces=None), name="one_deal_a_day"
            ),
        ),
        migrations.AddField(
            model_name="dailydeal",
            name="source",
            field=models.CharField(
                choices=[("seed", "Seed"), ("hand", "Hand")],
                db_default="seed",
                default="seed",
                max_length=4,
            ),
        ),
        migrations.AlterField(
            model_name="dailydeal",
            name="k",
            field=models.PositiveIntegerField(help_text="which candidate of the seed", null=True),
        ),
        migrations.AddConstraint(
            model_name="dailydeal",
            constraint=models.CheckConstraint(
                condition=Q(source="seed", k__isnull=False) | Q(source="hand", k=None),
                name="deal_has_a_source",
            ),
        ),
        migrations.RunPython(
            on_postgresql(FUNCTION, TRIGGER),
            on_postgresql(
                "DROP TRIGGER replaces_its_like ON games_dailydeal",
                "DROP FUNCTION check_replacement()",
            ),
        ),
    ]
