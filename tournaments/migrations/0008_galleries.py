"""A table of matches that stand out. All stories are told again, the newest first, since it is filled with them."""

import django.db.models.deletion
from django.db import migrations, models

KINDS = [("closest", "The closest"), ("comeback", "The biggest comebacks"), ("upset", "The biggest upsets")]
SHELVES = (("kind",), ("kind", "game"), ("kind", "month"), ("kind", "game", "month"))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0007_guests")]

    operations = [
        migrations.CreateModel(
            name="Highlight",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=KINDS, max_length=8)),
                ("game", models.CharField(max_length=40)),
                ("month", models.CharField(max_length=7)),
                ("value", models.FloatField()),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="highlights", to="tournaments.match"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint("match", "kind", name="a_match_is_highlighted_once_a_kind")],
                "indexes": [
                    models.Index(
                        *shelf, "value", models.F("match").desc(), name=f"highlights_by_{'_'.join(shelf)}"
                    )
                    for shelf in SHELVES
                ],
            },
        ),
        migrations.RunSQL("UPDATE tournaments_result SET story = NULL WHERE story IS NOT NULL", ""),
    ]
