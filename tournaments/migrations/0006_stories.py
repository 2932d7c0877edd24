"""A column for the headline of each match; those of before are made by the dispatcher, the newest first."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_faces")]

    operations = [
        migrations.AddField("result", "story", models.JSONField(blank=True, null=True)),
        migrations.AddIndex(
            "result",
            models.Index("match", name="untold_results", condition=models.Q(story__isnull=True)),
        ),
    ]
