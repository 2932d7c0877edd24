from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0051_drawn_names"),
    ]

    operations = [
        migrations.AddField(
            model_name="space",
            name="blind",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
