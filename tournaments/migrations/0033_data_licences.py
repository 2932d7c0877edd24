from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0032_named_since'),
    ]

    operations = [
        migrations.AddField(
            model_name='ladder',
            name='data_licence',
            field=models.CharField(choices=[('CC0-1.0', 'CC0: anything may be done with it'), ('CC-BY-4.0', 'CC BY: whoever uses it names the site'), ('CC-BY-SA-4.0', 'CC BY-SA: and shares what is made of it alike'), ('CC-BY-NC-4.0', 'CC BY-NC: names the site, and earns nothing by it')], db_default='CC0-1.0', default='CC0-1.0', help_text='Under which its dumps are given away.', max_length=12),
        ),
    ]
