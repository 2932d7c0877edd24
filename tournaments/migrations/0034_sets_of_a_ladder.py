from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0033_data_licences'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='matchset',
            index=models.Index(models.F('ladder'), models.F('id'), name='sets_of_a_ladder'),
        ),
    ]
