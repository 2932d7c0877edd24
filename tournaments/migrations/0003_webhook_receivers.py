"""Webhooks in the forms of chat services, and of spaces and events."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

RECEIVERS = [
    ("json", "Signed JSON, for a program"),
    ("slack", "Slack"),
    ("discord", "Discord"),
    ("mattermost", "Mattermost"),
    ("teams", "Microsoft Teams"),
]


def of(model: str) -> models.ForeignKey[Any, Any]:
    """Return the column of what a webhook belongs to."""
    on_delete = django.db.models.deletion.CASCADE
    return models.ForeignKey(
        blank=True, null=True, on_delete=on_delete, related_name="webhooks", to=f"tournaments.{model}"
    )


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_data_of_sentences")]

    operations = [
        migrations.AddField("webhook", "space", of("space")),
        migrations.AddField("webhook", "event", of("event")),
        migrations.AddField(
            "webhook",
            "receiver",
            models.CharField(choices=RECEIVERS, db_default="json", default="json", max_length=10),
        ),
        migrations.AddConstraint(
            "webhook",
            models.CheckConstraint(
                condition=models.Q(("space", None), ("event", None), _connector="OR"), name="a_webhook_is_of_one_thing"
            ),
        ),
    ]
