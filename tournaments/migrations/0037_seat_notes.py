import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0036_what_people_say'),
    ]

    operations = [
        migrations.CreateModel(
            name='SeatNotes',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pages', models.JSONField()),
                ('seat', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='tournaments.seat')),
            ],
            options={
                'verbose_name_plural': 'notes of seats',
            },
        ),
    ]
