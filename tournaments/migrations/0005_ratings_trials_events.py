"""Official ratings beside the classic ones; trials of new versions; events and who plays in them."""

import django.db.models.deletion
from django.conf import settings
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.exceptions import IrreversibleError


def keep(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    """What no earlier release can hold stops the way back, before anything of it is lost."""
    if apps.get_model("tournaments", "MatchSet").objects.exclude(trial=None).exists():
        raise IrreversibleError(
            "Sets of trials are in the ledger, and no release before this migration can hold "
            "them: to go back further, restore a backup of then."
        )


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0004_limits'),
    ]

    operations = [
        migrations.CreateModel(
            name='Entrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seed', models.FloatField(default=1500)),
                ('sd', models.FloatField(default=350)),
                ('status', models.CharField(choices=[('playing', 'Plays'), ('withdrawn', 'Withdrawn; it is paired no more from the next round on'), ('disqualified', 'Disqualified; it is paired no more, and has no place')], default='playing', max_length=12)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('left_at', models.PositiveIntegerField(blank=True, null=True)),
                ('place', models.PositiveIntegerField(blank=True, null=True)),
                ('registered_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=40, unique=True)),
                ('title', models.CharField(max_length=80)),
                ('description', models.TextField(blank=True)),
                ('spec', models.JSONField()),
                ('lot', models.CharField(max_length=64)),
                ('status', models.CharField(choices=[('draft', 'Not announced; only organisers see it'), ('registration', 'Bots may register'), ('running', 'Versions are frozen, and sets are played'), ('finished', 'All sets are played; the result stands'), ('cancelled', 'Ended without a result')], default='draft', max_length=12)),
                ('starts_at', models.DateTimeField(blank=True, null=True)),
                ('released', models.PositiveIntegerField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='Fit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stale', models.BooleanField(default=False)),
                ('sets', models.PositiveIntegerField()),
                ('phi', models.FloatField()),
                ('zero', models.FloatField()),
                ('rows', models.JSONField()),
                ('seconds', models.FloatField()),
                ('made_at', models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.CreateModel(
            name='Trial',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('running', 'Sets are played until the test decides'), ('passed', 'The candidate is stronger: its owner is asked'), ('promoted', 'The candidate plays for its bot now'), ('refused', 'The candidate is not stronger by what was asked; the champion stays'), ('cancelled', 'Ended by its owner, or by a newer version')], default='running', max_length=10)),
                ('played', models.PositiveIntegerField(default=0)),
                ('score', models.FloatField(default=0.5)),
                ('llr', models.FloatField(default=0)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='matchset',
            name='complete_ladder_sets_are_rated',
        ),
        migrations.RemoveConstraint(
            model_name='matchset',
            name='a_set_is_of_a_ladder_or_a_check',
        ),
        migrations.RemoveIndex(
            model_name='matchset',
            name='sets_to_rate',
        ),
        migrations.RemoveIndex(
            model_name='rating',
            name='standings',
        ),
        migrations.AddField(
            model_name='bot',
            name='gate',
            field=models.CharField(choices=[('off', 'A new version plays as soon as it has passed its check'), ('ask', 'It first plays its champion, off the ladder; if it is stronger, you are asked'), ('auto', 'It first plays its champion, off the ladder; if it is stronger, it takes over')], default='off', max_length=4),
        ),
        migrations.AddField(
            model_name='ladder',
            name='anchor',
            field=models.ForeignKey(blank=True, help_text='Held at 1000, so that months compare.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tournaments.version'),
        ),
        migrations.AddField(
            model_name='ladder',
            name='margin',
            field=models.PositiveIntegerField(default=0, help_text='The lead in score that counts as a full win; 0: who is ahead is all that counts.'),
        ),
        migrations.AddField(
            model_name='ladder',
            name='table_sizes',
            field=models.JSONField(blank=True, default=list, help_text="Numbers of players to mix, as often as each is listed; empty: the options' own."),
        ),
        migrations.AddField(
            model_name='matchset',
            name='pairing',
            field=models.CharField(blank=True, max_length=80),
        ),
        migrations.AddField(
            model_name='rating',
            name='elo',
            field=models.FloatField(null=True),
        ),
        migrations.AddField(
            model_name='rating',
            name='fitted',
            field=models.FloatField(null=True),
        ),
        migrations.AddField(
            model_name='rating',
            name='sd',
            field=models.FloatField(null=True),
        ),
        migrations.AlterField(
            model_name='version',
            name='status',
            field=models.CharField(choices=[('checking', 'Being checked: unpacked, started, and played against itself once'), ('candidate', 'Passed its check and plays its champion, off the ladder'), ('active', 'Passed its check and plays for its bot'), ('retired', 'Passed its check; another version plays now'), ('rejected', 'Failed its check; the report says why')], default='checking', max_length=10),
        ),
        migrations.AddIndex(
            model_name='rating',
            index=models.Index(models.F('ladder'), models.OrderBy(models.F('elo'), descending=True, nulls_last=True), models.F('id'), name='standings'),
        ),
        migrations.AddConstraint(
            model_name='version',
            constraint=models.UniqueConstraint(models.F('bot'), condition=models.Q(('status', 'candidate')), name='one_candidate_a_bot'),
        ),
        migrations.AddField(
            model_name='entrant',
            name='bot',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='tournaments.bot'),
        ),
        migrations.AddField(
            model_name='entrant',
            name='version',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='tournaments.version'),
        ),
        migrations.AddField(
            model_name='event',
            name='ladder',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='tournaments.ladder'),
        ),
        migrations.AddField(
            model_name='event',
            name='organiser',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='events', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='event',
            name='previous',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='later', to='tournaments.event'),
        ),
        migrations.AddField(
            model_name='entrant',
            name='event',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entrants', to='tournaments.event'),
        ),
        migrations.AddField(
            model_name='matchset',
            name='event',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sets', to='tournaments.event'),
        ),
        migrations.AddField(
            model_name='fit',
            name='ladder',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='fit', to='tournaments.ladder'),
        ),
        migrations.AddField(
            model_name='trial',
            name='candidate',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='trial', to='tournaments.version'),
        ),
        migrations.AddField(
            model_name='trial',
            name='champion',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='defences', to='tournaments.version'),
        ),
        migrations.AddField(
            model_name='trial',
            name='ladder',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trials', to='tournaments.ladder'),
        ),
        migrations.AddField(
            model_name='matchset',
            name='trial',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sets', to='tournaments.trial'),
        ),
        migrations.AddIndex(
            model_name='matchset',
            index=models.Index(models.F('ladder'), condition=models.Q(('number__isnull', False), ('rated', False), ('status', 'complete')), name='sets_to_rate'),
        ),
        migrations.AddConstraint(
            model_name='matchset',
            constraint=models.UniqueConstraint(models.F('event'), models.F('pairing'), condition=models.Q(('event__isnull', False)), name='a_pairing_is_played_once'),
        ),
        migrations.AddConstraint(
            model_name='matchset',
            constraint=models.CheckConstraint(condition=models.Q(('rated', False), models.Q(('number__isnull', False), ('status', 'complete')), _connector='OR'), name='complete_ladder_sets_are_rated'),
        ),
        migrations.AddConstraint(
            model_name='matchset',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('checks__isnull', True), ('event__isnull', True), ('ladder__isnull', False), ('number__isnull', False), ('trial__isnull', True)), models.Q(('checks__isnull', True), ('event__isnull', False), ('ladder__isnull', False), ('number__isnull', True), ('trial__isnull', True)), models.Q(('checks__isnull', True), ('event__isnull', True), ('ladder__isnull', False), ('number__isnull', True), ('trial__isnull', False)), models.Q(('checks__isnull', False), ('event__isnull', True), ('ladder__isnull', True), ('number__isnull', True), ('trial__isnull', True)), _connector='OR'), name='a_set_is_of_a_ladder_an_event_a_trial_or_a_check'),
        ),
        migrations.AddConstraint(
            model_name='matchset',
            constraint=models.CheckConstraint(condition=models.Q(('event__isnull', False), ('pairing', ''), _connector='XOR'), name='sets_of_events_have_a_pairing'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(models.F('id'), condition=models.Q(('status__in', ('registration', 'running'))), name='events_under_way'),
        ),
        migrations.AddIndex(
            model_name='entrant',
            index=models.Index(models.F('bot'), models.OrderBy(models.F('event'), descending=True), name='events_of_a_bot'),
        ),
        migrations.AddConstraint(
            model_name='entrant',
            constraint=models.UniqueConstraint(models.F('event'), models.F('bot'), name='a_bot_registers_once'),
        ),
        migrations.AddIndex(
            model_name='trial',
            index=models.Index(models.F('id'), condition=models.Q(('status', 'running')), name='trials_under_way'),
        ),        migrations.RunPython(migrations.RunPython.noop, keep),
    ]
