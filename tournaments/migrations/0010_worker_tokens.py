"""Tokens of workers that come in by the door, and the ladders of the site on which they may play."""

from django.db import migrations, models
from django.db.models import CASCADE


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_suggestions")]

    operations = [
        migrations.AddField("ladder", "outside_workers", models.BooleanField(db_default=False, default=False)),
        migrations.CreateModel(
            "WorkerToken",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("worker", models.ForeignKey("tournaments.worker", CASCADE, related_name="tokens")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("offers", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
    ]
