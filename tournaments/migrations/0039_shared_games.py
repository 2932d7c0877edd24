from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0038_rating_moves'),
    ]

    operations = [
        migrations.AddField(
            model_name='practice',
            name='share_key',
            field=models.CharField(blank=True, db_default='', default='', max_length=43),
        ),
        migrations.AddConstraint(
            model_name='practice',
            constraint=models.UniqueConstraint(models.F('share_key'), condition=models.Q(('share_key', ''), _negated=True), name='a_share_key_opens_one_game'),
        ),
    ]
