import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0034_sets_of_a_ladder'),
    ]

    operations = [
        migrations.AddField(
            model_name='ladder',
            name='upload_mb',
            field=models.PositiveIntegerField(db_default=5, default=5, help_text='The largest upload of a bot, in MB; unpacked twice as much. 1 to 20.', validators=[django.core.validators.MinValueValidator(1, 'upload_mb is %(show_value)s; it must be a whole number from 1 to 20.'), django.core.validators.MaxValueValidator(20, 'upload_mb is %(show_value)s; it must be a whole number from 1 to 20.')]),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('upload_mb__range', (1, 20))), name='upload_mb_in_range'),
        ),
    ]
