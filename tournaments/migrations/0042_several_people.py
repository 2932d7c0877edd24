import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0041_names_in_any_script'),
    ]

    operations = [
        migrations.CreateModel(
            name='PracticeSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('state', models.CharField(choices=[('here', 'Answers, or is waited for'), ('away', 'Was late too often; defaults are answered until they come back'), ('left', 'Has left for good; defaults are answered')], default='here', max_length=10)),
                ('missed', models.PositiveSmallIntegerField(default=0)),
            ],
        ),
        migrations.AddField(
            model_name='practice',
            name='absences',
            field=models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list),
        ),
        migrations.AddField(
            model_name='practice',
            name='hours',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='practice',
            name='invite_key',
            field=models.CharField(blank=True, db_default='', default='', max_length=43),
        ),
        migrations.AddField(
            model_name='practice',
            name='notify_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='practice',
            name='waits_for',
            field=models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('fault', 'A bot of yours was at fault in a match'), ('check', 'A version of yours was checked'), ('trial', 'A candidate of yours was tried'), ('set', 'A set that you asked for is over'), ('rank', 'A bot of yours gained or lost a rank'), ('event', 'An event with a bot of yours began, released a round or ended'), ('act', "An organiser's act concerns you"), ('team', 'A team asks you to join'), ('game', 'A game with other people waits for you, has begun or is over'), ('test', 'You tried a webhook')], max_length=10),
        ),
        migrations.AlterField(
            model_name='practice',
            name='status',
            field=models.CharField(choices=[('gathering', 'Seats are kept for people who were invited'), ('waiting', 'The bots are thinking'), ('asking', 'It is your turn'), ('over', 'Played to its end'), ('failed', 'It cannot go on; the reason says why'), ('left', 'Left before its end')], default='waiting', max_length=10),
        ),
        migrations.AddIndex(
            model_name='practice',
            index=models.Index(models.F('until'), condition=models.Q(('status__in', ('gathering', 'asking')), ('until__isnull', False)), name='practices_people_are_due'),
        ),
        migrations.AddIndex(
            model_name='practice',
            index=models.Index(models.F('notify_at'), condition=models.Q(('notify_at__isnull', False)), name='practices_to_tell_of'),
        ),
        migrations.AddConstraint(
            model_name='practice',
            constraint=models.UniqueConstraint(models.F('invite_key'), condition=models.Q(('invite_key', ''), _negated=True), name='an_invite_key_opens_one_table'),
        ),
        migrations.AddField(
            model_name='practiceseat',
            name='practice',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sitting', to='tournaments.practice'),
        ),
        migrations.AddField(
            model_name='practiceseat',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='practice_seats', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='practiceseat',
            constraint=models.UniqueConstraint(models.F('practice'), models.F('number'), name='one_person_a_seat'),
        ),
        migrations.AddConstraint(
            model_name='practiceseat',
            constraint=models.UniqueConstraint(models.F('practice'), models.F('user'), name='nobody_sits_twice'),
        ),
    ]
