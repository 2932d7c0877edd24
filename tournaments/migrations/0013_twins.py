"""Bots of the house that play in a ladder under two names."""

from django.db import migrations, models
from django.db.models import CASCADE, PROTECT


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0012_fairness")]

    operations = [
        migrations.CreateModel(
            "Twins",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ladder", models.OneToOneField("tournaments.ladder", CASCADE, related_name="twins")),
                ("original", models.ForeignKey("tournaments.version", CASCADE, related_name="+")),
                ("twin", models.OneToOneField("tournaments.version", CASCADE, related_name="+")),
                ("text", models.CharField(max_length=300)),
                ("act", models.OneToOneField("tournaments.act", PROTECT, related_name="+")),
                ("revealed_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
    ]
