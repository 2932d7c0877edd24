"""A table of what checks of public ledgers came to."""

from django.db import migrations, models
from django.db.models import CASCADE


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0011_constants")]

    operations = [
        migrations.CreateModel(
            "FairnessReport",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ladder", models.OneToOneField("tournaments.ladder", CASCADE, related_name="fairness")),
                ("sets", models.PositiveIntegerField()),
                ("checks", models.JSONField()),
                ("seconds", models.FloatField()),
                ("made_at", models.DateTimeField(auto_now=True)),
            ],
        ),
    ]
