"""The database compares names of any script, where it compared Latin ones.

Names that are taken for each other now, of accounts that organisers made, are parted as `0020_names` did.
"""

from importlib import import_module

from django.core.validators import RegexValidator
from django.db import migrations, models

from tournaments.models.name_lookalikes import Look

TAKEN = "Somebody has this name, or one that people would take for it. Choose another."
part = import_module("tournaments.migrations.0020_names").part
PERSON, BOT, TEAM = "no_person_looks_like_another", "no_bot_looks_like_another_of_its_game", "no_team_looks_like_another"


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0040_erased_accounts")]

    operations = [
        migrations.AlterField(
            "user",
            "username",
            models.CharField(
                max_length=150,
                unique=True,
                validators=[RegexValidator(r"\A[^\s\x00-\x1f\x7f-\x9f\"#%&'/<>?\\]+\Z")],
                error_messages={"unique": TAKEN},
            ),
        ),
        migrations.RemoveConstraint("user", PERSON),
        migrations.RemoveConstraint("bot", BOT),
        migrations.RemoveConstraint("team", TEAM),
        migrations.RunPython(part, migrations.RunPython.noop),
        migrations.AddConstraint(
            "user", models.UniqueConstraint(Look("username"), name=PERSON, violation_error_message=TAKEN)
        ),
        migrations.AddConstraint("bot", models.UniqueConstraint(Look("name"), models.F("game"), name=BOT)),
        migrations.AddConstraint("team", models.UniqueConstraint(Look("name"), name=TEAM)),
    ]
