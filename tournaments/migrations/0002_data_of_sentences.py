"""Columns for what the sentences of faults and of checks were made of; those of before stay plain English."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]

    operations = [
        migrations.AddField("faultevidence", "detail_data", models.JSONField(blank=True, null=True)),
        migrations.AddField("practice", "faults_data", models.JSONField(blank=True, null=True)),
        migrations.AddField("version", "report_data", models.JSONField(blank=True, null=True)),
    ]
