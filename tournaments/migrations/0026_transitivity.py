from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0025_trial_tests")]

    operations = [migrations.AddField("fit", "transitivity", models.JSONField(null=True))]
