"""What staff may be allowed to do with challenges, deals and attempts."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0013_voidings")]
    operations = [
        migrations.AlterModelOptions(
            name="challenge",
            options={
                "ordering": ["place"],
                "permissions": [
                    ("pause_challenge", "Can pause and resume challenges"),
                    ("write_deal", "Can write deals of coming days by hand"),
                ],
            },
        ),
        migrations.AlterModelOptions(
            name="dailydeal",
            options={
                "permissions": [
                    ("view_secrets", "Can see the secrets of deals before their seal"),
                    ("remake_deal", "Can have the deals of coming days made anew"),
                    ("void_deal", "Can void days that have begun"),
                ]
            },
        ),
        migrations.AlterModelOptions(
            name="attempt",
            options={
                "permissions": [("disqualify_attempt", "Can disqualify and reinstate attempts")]
            },
        ),
    ]
