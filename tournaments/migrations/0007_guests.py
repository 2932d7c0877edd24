"""Guests, who play without an account, and minutes for each answer of people at one table."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_stories")]

    operations = [
        migrations.AddField("user", "guest_until", models.DateTimeField(blank=True, null=True)),
        migrations.AddIndex(
            "user",
            models.Index("guest_until", name="guests", condition=models.Q(guest_until__isnull=False)),
        ),
        migrations.AddField("practice", "minutes", models.PositiveSmallIntegerField(blank=True, null=True)),
    ]
