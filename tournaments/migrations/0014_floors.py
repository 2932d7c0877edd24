"""What ratings are shown at, at least, and what the last fit knew."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0013_twins")]

    operations = [
        migrations.AddField("rating", "floor", models.FloatField(null=True)),
        migrations.AddField("rating", "fitted_games", models.PositiveIntegerField(default=0, db_default=0)),
        migrations.AddField("rating", "fitted_wins", models.FloatField(default=0, db_default=0)),
    ]
