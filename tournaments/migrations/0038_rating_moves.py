import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0037_seat_notes'),
    ]

    operations = [
        migrations.CreateModel(
            name='RatingMoves',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('began_at', models.DateTimeField()),
                ('base', models.JSONField()),
                ('moves', models.JSONField()),
                ('made_at', models.DateTimeField(auto_now=True)),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='moves', to='tournaments.ladder')),
            ],
            options={
                'verbose_name_plural': 'rating moves',
            },
        ),
        migrations.AddConstraint(
            model_name='ratingmoves',
            constraint=models.UniqueConstraint(models.F('ladder'), models.F('day'), name='moves_of_a_day_once'),
        ),
    ]
