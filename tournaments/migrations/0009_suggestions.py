"""A table of what seats should have done at questions of recorded matches."""

from django.conf import settings
from django.db import migrations, models
from django.db.models import CASCADE, Q

STATUSES = [
    ("waiting", "Waits until no match needs the workers"),
    ("asked", "With a worker, or on the way to one"),
    ("done", "Other answers were tried"),
    ("failed", "Given up; the reason says why"),
]
TO_MATCH = models.ForeignKey("tournaments.match", CASCADE, related_name="suggestions", null=True, blank=True)
TO_GAME = models.ForeignKey("tournaments.practice", CASCADE, related_name="suggestions", null=True, blank=True)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0008_galleries")]

    operations = [
        migrations.CreateModel(
            "Suggestion",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("match", TO_MATCH),
                ("practice", TO_GAME),
                ("at", models.PositiveIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("rules", models.PositiveIntegerField()),
                ("asked_by", models.ForeignKey(settings.AUTH_USER_MODEL, CASCADE, related_name="suggestions")),
                ("status", models.CharField(choices=STATUSES, default="waiting", max_length=7)),
                ("turn", models.PositiveIntegerField(default=0)),
                ("begun", models.BooleanField(default=False)),
                ("until", models.DateTimeField(blank=True, null=True)),
                ("pool", models.CharField(blank=True, max_length=30)),
                ("reason", models.TextField(blank=True)),
                ("tried", models.JSONField(blank=True, default=list)),
                ("playouts", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
            ],
            {
                "indexes": [
                    models.Index("id", name="suggestions_to_do", condition=Q(status__in=("waiting", "asked")))
                ],
                "constraints": [
                    models.UniqueConstraint("match", "at", name="a_moment_of_a_match_is_asked_about_once"),
                    models.UniqueConstraint("practice", "at", name="a_moment_of_a_game_is_asked_about_once"),
                    models.CheckConstraint(
                        condition=Q(match__isnull=True, practice__isnull=False)
                        | Q(match__isnull=False, practice__isnull=True),
                        name="a_suggestion_is_of_a_match_or_a_game",
                    ),
                ],
            },
        ),
    ]
