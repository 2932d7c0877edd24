"""Faces of bots: a motto, colours, who is the house's, and badges."""

import django.db.models.deletion
from django.db import migrations, models

KINDS = [
    ("beaten", "Finished a set ahead of a character"),
    ("first_win", "First win"),
    ("first_upset", "First upset"),
    ("all_beaten", "All characters beaten"),
    ("week", "A week on the ladder"),
]


def text(most: int) -> "models.CharField[str, str]":
    return models.CharField(blank=True, db_default="", default="", max_length=most)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_follows")]

    operations = [
        migrations.AddField("bot", "motto", text(60)),
        migrations.AddField("bot", "colours", text(15)),
        migrations.AddField("bot", "house", text(40)),
        migrations.CreateModel(
            name="Badge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=KINDS, max_length=12)),
                ("character", models.CharField(blank=True, max_length=40)),
                ("earned_at", models.DateTimeField()),
                (
                    "bot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="badges", to="tournaments.bot"
                    ),
                ),
                (
                    "set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tournaments.matchset"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint("bot", "kind", "character", name="a_badge_is_earned_once")]
            },
        ),
        migrations.CreateModel(
            name="BadgeReading",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("step", models.BigIntegerField(default=0)),
                ("fit_at", models.DateTimeField(null=True)),
                (
                    "ladder",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="badge_reading", to="tournaments.ladder"
                    ),
                ),
            ],
        ),
    ]
