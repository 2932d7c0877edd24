from django.db import migrations, models


class Migration(migrations.Migration):
    """How long each bot took to answer in a match, waiting included; unknown of matches before."""

    dependencies = [("tournaments", "0062_time_zones")]

    operations = [migrations.AddField("seat", "took_ms", models.FloatField(blank=True, null=True))]
