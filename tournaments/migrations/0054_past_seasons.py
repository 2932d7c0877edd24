from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Max, Q
from django.utils import timezone


def archive(apps: Any, _: object) -> None:
    """What ended before there were fingerprints has none."""
    Ladder, Event, Act, PastSeason = (
        apps.get_model("tournaments", name) for name in ("Ladder", "Event", "Act", "PastSeason")
    )
    for event in Event.objects.filter(status="finished"):
        PastSeason.objects.create(event=event, ended_at=event.ended_at or timezone.now(), old=True)
    for ladder in Ladder.objects.filter(status="closed").annotate(last=Max("sets__ended_at")):
        closed = Act.objects.filter(kind="close_ladder", subject=f"ladder {ladder.slug}").order_by("number").last()
        ended = closed.at if closed else ladder.last or timezone.now()
        PastSeason.objects.create(ladder=ladder, ended_at=ended, old=True)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0053_announcements_of_spaces"),
    ]

    operations = [
        migrations.CreateModel(
            name="PastSeason",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ended_at", models.DateTimeField()),
                ("changes", models.PositiveIntegerField(default=1)),
                ("looked_at", models.PositiveIntegerField(default=0)),
                ("winners", models.JSONField(default=list)),
                ("entrants", models.PositiveIntegerField(default=0)),
                ("sets", models.PositiveIntegerField(default=0)),
                ("fingerprint", models.CharField(blank=True, max_length=64)),
                ("old", models.BooleanField(default=False)),
                (
                    "act",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.act",
                    ),
                ),
                (
                    "event",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="past_season",
                        to="tournaments.event",
                    ),
                ),
                (
                    "ladder",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="past_season",
                        to="tournaments.ladder",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index("id", condition=Q(("looked_at__lt", F("changes"))), name="seasons_due"),
                    models.Index(models.OrderBy(F("ended_at"), descending=True), name="seasons_by_their_end"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(("event__isnull", True), ("ladder__isnull", False))
                        | Q(("event__isnull", False), ("ladder__isnull", True)),
                        name="a_season_is_of_a_ladder_or_an_event",
                    )
                ],
            },
        ),
        migrations.RunPython(archive, migrations.RunPython.noop),
    ]
