import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0052_blind_spaces"),
    ]

    operations = [
        migrations.AddField(
            model_name="announcement",
            name="space",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="announcements",
                to="tournaments.space",
            ),
        ),
        migrations.AddField(
            model_name="announcement",
            name="title",
            field=models.CharField(blank=True, db_default="", default="", max_length=80),
        ),
    ]
