"""All tables as they were made step by step up to 0022: a new site has them at once, one of before goes on where it was."""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.comparison
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.utils.timezone
import tournaments.config.game_titles
import tournaments.models.name_lookalikes
from django.conf import settings
from django.db import migrations, models


# The database itself refuses to change or take out an act: a slip of ours, or of a person at its prompt, is stopped.
KEEP = """
CREATE FUNCTION tournaments_keep_act() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'acts are kept as they are: what was done is undone by another act'
        USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER acts_are_kept BEFORE UPDATE OR DELETE ON tournaments_act
    FOR EACH ROW EXECUTE FUNCTION tournaments_keep_act();
"""
LET_GO = """
DROP TRIGGER acts_are_kept ON tournaments_act;
DROP FUNCTION tournaments_keep_act();
"""


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("tournaments", "0001_the_ledger"),
        ("tournaments", "0002_languages"),
        ("tournaments", "0003_time_controls"),
        ("tournaments", "0004_limits"),
        ("tournaments", "0005_ratings_trials_events"),
        ("tournaments", "0006_events"),
        ("tournaments", "0007_operating"),
        ("tournaments", "0008_acts_are_kept"),
        ("tournaments", "0009_lines"),
        ("tournaments", "0010_upkeep"),
        ("tournaments", "0011_latest_rated_sets"),
        ("tournaments", "0012_spot_checks"),
        ("tournaments", "0013_unpromised"),
        ("tournaments", "0014_the_site"),
        ("tournaments", "0015_practice_turns"),
        ("tournaments", "0016_ranks_told"),
        ("tournaments", "0017_a_draft_tried"),
        ("tournaments", "0018_failing_items"),
        ("tournaments", "0021_draft_states"),
        ("tournaments", "0020_names"),
        ("tournaments", "0022_withdrawn_seats"),
    ]

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Bundle',
            fields=[
                ('sha256', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('content', models.BinaryField()),
                ('size', models.PositiveIntegerField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='Ladder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=40, unique=True)),
                ('title', models.CharField(max_length=80)),
                ('description', models.TextField(blank=True)),
                ('game', models.CharField(choices=tournaments.config.game_titles.games, max_length=40)),
                ('rules', models.PositiveIntegerField()),
                ('options', models.JSONField()),
                ('status', models.CharField(choices=[('open', 'Open: bots may enter, and sets are paired'), ('paused', 'Paused: bots may enter, nothing new is paired'), ('frozen', 'Frozen: it plays on with the bots and versions it had then'), ('closed', 'Closed: the standings are final')], default='open', max_length=10)),
                ('answer_ms', models.PositiveIntegerField(default=1000, help_text='For one answer, in milliseconds of CPU time, as all times here. 10 to 60000.', validators=[django.core.validators.MinValueValidator(10, 'answer_ms is %(show_value)s; it must be a whole number from 10 to 60000.'), django.core.validators.MaxValueValidator(60000, 'answer_ms is %(show_value)s; it must be a whole number from 10 to 60000.')])),
                ('bank_ms', models.PositiveIntegerField(default=30000, help_text='For all answers of a match. 100 to 3600000.', validators=[django.core.validators.MinValueValidator(100, 'bank_ms is %(show_value)s; it must be a whole number from 100 to 3600000.'), django.core.validators.MaxValueValidator(3600000, 'bank_ms is %(show_value)s; it must be a whole number from 100 to 3600000.')])),
                ('increment_ms', models.PositiveIntegerField(default=0, help_text='Put back into the bank for each answer. 0 to 60000.', validators=[django.core.validators.MinValueValidator(0, 'increment_ms is %(show_value)s; it must be a whole number from 0 to 60000.'), django.core.validators.MaxValueValidator(60000, 'increment_ms is %(show_value)s; it must be a whole number from 0 to 60000.')])),
                ('start_ms', models.PositiveIntegerField(default=5000, help_text='Until a bot is ready. 100 to 60000.', validators=[django.core.validators.MinValueValidator(100, 'start_ms is %(show_value)s; it must be a whole number from 100 to 60000.'), django.core.validators.MaxValueValidator(60000, 'start_ms is %(show_value)s; it must be a whole number from 100 to 60000.')])),
                ('memory_mb', models.PositiveIntegerField(default=512, help_text='Address space of a bot, in MB of 1,048,576 bytes. 64 to 65536.', validators=[django.core.validators.MinValueValidator(64, 'memory_mb is %(show_value)s; it must be a whole number from 64 to 65536.'), django.core.validators.MaxValueValidator(65536, 'memory_mb is %(show_value)s; it must be a whole number from 64 to 65536.')])),
                ('threads', models.PositiveIntegerField(default=16, help_text='Of a bot, the first included. Where a worker cannot count them, a bot has one. 1 to 1024.', validators=[django.core.validators.MinValueValidator(1, 'threads is %(show_value)s; it must be a whole number from 1 to 1024.'), django.core.validators.MaxValueValidator(1024, 'threads is %(show_value)s; it must be a whole number from 1 to 1024.')])),
                ('open_files', models.PositiveIntegerField(default=64, help_text='That a bot may have open at once, its three pipes included. 16 to 4096.', validators=[django.core.validators.MinValueValidator(16, 'open_files is %(show_value)s; it must be a whole number from 16 to 4096.'), django.core.validators.MaxValueValidator(4096, 'open_files is %(show_value)s; it must be a whole number from 16 to 4096.')])),
                ('files_mb', models.PositiveIntegerField(default=8, help_text='The largest file that a bot may write, in MB. 0 to 1024.', validators=[django.core.validators.MinValueValidator(0, 'files_mb is %(show_value)s; it must be a whole number from 0 to 1024.'), django.core.validators.MaxValueValidator(1024, 'files_mb is %(show_value)s; it must be a whole number from 0 to 1024.')])),
                ('temp_mb', models.PositiveIntegerField(default=16, help_text="A bot's temporary folder, in MB. Not every worker's sandbox has one. 1 to 4096.", validators=[django.core.validators.MinValueValidator(1, 'temp_mb is %(show_value)s; it must be a whole number from 1 to 4096.'), django.core.validators.MaxValueValidator(4096, 'temp_mb is %(show_value)s; it must be a whole number from 1 to 4096.')])),
                ('line_kb', models.PositiveIntegerField(default=64, help_text='The longest answer, in KB of 1,024 bytes. 1 to 256.', validators=[django.core.validators.MinValueValidator(1, 'line_kb is %(show_value)s; it must be a whole number from 1 to 256.'), django.core.validators.MaxValueValidator(256, 'line_kb is %(show_value)s; it must be a whole number from 1 to 256.')])),
                ('output_kb', models.PositiveIntegerField(default=4096, help_text='What a bot may write in a match, stdout and stderr together, in KB. 16 to 16384.', validators=[django.core.validators.MinValueValidator(16, 'output_kb is %(show_value)s; it must be a whole number from 16 to 16384.'), django.core.validators.MaxValueValidator(16384, 'output_kb is %(show_value)s; it must be a whole number from 16 to 16384.')])),
                ('stderr_kb', models.PositiveIntegerField(default=8, help_text="The end of a bot's stderr that is kept for its owner, in KB. 1 to 64.", validators=[django.core.validators.MinValueValidator(1, 'stderr_kb is %(show_value)s; it must be a whole number from 1 to 64.'), django.core.validators.MaxValueValidator(64, 'stderr_kb is %(show_value)s; it must be a whole number from 1 to 64.')])),
                ('strikes', models.PositiveSmallIntegerField(default=3, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)])),
                ('division', models.CharField(choices=[('time', 'Bots are timed by the CPU seconds they use'), ('fuel', 'Bots run in WebAssembly on a budget of fuel: anybody can run them again to the same end')], default='time', max_length=4)),
                ('owners_apart', models.BooleanField(default=False)),
                ('sets_wanted', models.PositiveIntegerField(default=100)),
                ('pace_seconds', models.PositiveIntegerField(default=20)),
                ('table_sizes', models.JSONField(blank=True, default=list, help_text="Numbers of players to mix, as often as each is listed; empty: the options' own.")),
                ('margin', models.PositiveIntegerField(default=0, help_text='The lead in score that counts as a full win; 0: who is ahead is all that counts.')),
                ('live_delay', models.PositiveIntegerField(default=0, help_text='Seconds by which spectators see a running match later than it is played.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('turn', models.PositiveSmallIntegerField()),
                ('status', models.CharField(choices=[('waiting', 'Waiting for a worker'), ('leased', 'With a worker, or on its way to one'), ('done', 'Played and recorded'), ('quarantined', 'Set aside after too many failed attempts'), ('cancelled', 'Not played: its set was cancelled')], default='waiting', max_length=12)),
                ('lease', models.PositiveIntegerField(default=0)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('forgiven', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name_plural': 'matches',
            },
        ),
        migrations.CreateModel(
            name='Upkeep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(max_length=60, unique=True)),
                ('at', models.DateTimeField(auto_now=True)),
                ('count', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='Worker',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, unique=True)),
                ('status', models.CharField(choices=[('welcome', 'Takes orders'), ('drained', 'Finishes what it has and takes no more orders'), ('blocked', 'Nothing that it says is believed')], default='welcome', max_length=10)),
                ('reason', models.TextField(blank=True)),
                ('seen_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('about', models.CharField(blank=True, max_length=500)),
                ('confirmed_email', models.EmailField(blank=True, max_length=254)),
                ('mailed', models.JSONField(blank=True, default=list)),
                ('feed_key', models.CharField(blank=True, max_length=43)),
                ('former_name', models.CharField(blank=True, max_length=150)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='Act',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(unique=True)),
                ('kind', models.CharField(max_length=40)),
                ('by', models.CharField(max_length=150)),
                ('subject', models.CharField(max_length=200)),
                ('reason', models.TextField(blank=True)),
                ('detail', models.JSONField(blank=True, default=dict)),
                ('at', models.DateTimeField()),
                ('previous', models.CharField(max_length=64)),
                ('digest', models.CharField(max_length=64)),
            ],
            options={
                'indexes': [models.Index(models.F('kind'), models.OrderBy(models.F('number'), descending=True), name='acts_of_a_kind')],
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('reads_only', models.BooleanField(default=False)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Bot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(choices=tournaments.config.game_titles.games, max_length=40)),
                ('name', models.CharField(max_length=40)),
                ('about', models.CharField(blank=True, max_length=500)),
                ('gate', models.CharField(choices=[('off', 'A new version plays as soon as it has passed its check'), ('ask', 'It first plays its champion, off the ladder; if it is stronger, you are asked'), ('auto', 'It first plays its champion, off the ladder; if it is stronger, it takes over')], default='off', max_length=4)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bots', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.CharField(choices=tournaments.config.game_titles.games, max_length=40)),
                ('name', models.CharField(max_length=40)),
                ('filename', models.CharField(default='bot.py', max_length=100)),
                ('source', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('saved_at', models.DateTimeField(auto_now=True)),
                ('bot', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='drafts', to='tournaments.bot')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='DraftState',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.TextField()),
                ('filename', models.CharField(max_length=100)),
                ('size', models.PositiveIntegerField()),
                ('saved_at', models.DateTimeField()),
                ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='states', to='tournaments.draft')),
            ],
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=40, unique=True)),
                ('title', models.CharField(max_length=80)),
                ('description', models.TextField(blank=True)),
                ('spec', models.JSONField(help_text='Such as {"t": "swiss", "rounds": 5}; docs/events.md shows them all.', verbose_name='format')),
                ('lot', models.CharField(max_length=64)),
                ('status', models.CharField(choices=[('draft', 'Not announced; only organisers see it'), ('registration', 'Bots may register'), ('running', 'Versions are frozen, and sets are played'), ('finished', 'All sets are played; the result stands'), ('cancelled', 'Ended without a result')], default='draft', max_length=12)),
                ('starts_at', models.DateTimeField(blank=True, help_text='It starts by itself then; empty: when an organiser starts it.', null=True)),
                ('released', models.PositiveIntegerField(blank=True, help_text='0: results are held back until they are released round by round; empty: public as they come in.', null=True, verbose_name='released up to round')),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('organiser', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='events', to=settings.AUTH_USER_MODEL)),
                ('previous', models.ForeignKey(blank=True, help_text='The season before, for a link.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='later', to='tournaments.event')),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='tournaments.ladder')),
            ],
            options={
                'ordering': ('-id',),
            },
        ),
        migrations.CreateModel(
            name='FailingItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('loop', models.CharField(max_length=40)),
                ('item', models.CharField(max_length=120)),
                ('reason', models.CharField(max_length=500)),
                ('failures', models.IntegerField(default=0)),
                ('first_failed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('last_failed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('next_try_at', models.DateTimeField(null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('loop', 'item'), name='failing_item_once')],
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
                ('ladder', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='fit', to='tournaments.ladder')),
            ],
        ),
        migrations.CreateModel(
            name='Announcement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('act', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='announcement', to='tournaments.act')),
                ('withdrawn', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.act')),
                ('ladder', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='announcements', to='tournaments.ladder')),
            ],
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('lease', models.PositiveIntegerField()),
                ('worker', models.CharField(blank=True, max_length=120)),
                ('outcome', models.CharField(choices=[('sent', 'Sent to the queue'), ('playing', 'A worker plays it'), ('recorded', 'Its report was recorded'), ('returned', 'Given back by a worker that was leaving'), ('void', 'The platform failed; no bot is charged'), ('expired', 'Nothing was heard before the lease ran out'), ('refused', 'Its report was refused; the reason says why')], default='sent', max_length=10)),
                ('reason', models.TextField(blank=True)),
                ('failed', models.BooleanField(default=False)),
                ('sent_at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='tournaments.match')),
            ],
        ),
        migrations.CreateModel(
            name='MatchSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(blank=True, null=True)),
                ('pairing', models.CharField(blank=True, max_length=80)),
                ('round', models.PositiveIntegerField(blank=True, null=True)),
                ('needs', models.CharField(blank=True, max_length=100)),
                ('game', models.CharField(max_length=40)),
                ('rules', models.PositiveIntegerField()),
                ('options', models.JSONField()),
                ('seed', models.CharField(max_length=64)),
                ('link', models.PositiveIntegerField(blank=True, null=True)),
                ('beacon', models.CharField(blank=True, max_length=64)),
                ('commitment', models.CharField(max_length=64)),
                ('status', models.CharField(choices=[('open', 'Has matches still to play'), ('complete', 'All its matches are recorded'), ('cancelled', 'A match of it cannot be played; it is not rated'), ('void', 'Voided by an organiser: what was played is kept, and counts for nothing')], default='open', max_length=10)),
                ('reason', models.TextField(blank=True)),
                ('counts', models.BooleanField(default=True)),
                ('rated', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='asked_sets', to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sets', to='tournaments.event')),
                ('ladder', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sets', to='tournaments.ladder')),
                ('rechecks', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='rechecks', to='tournaments.match')),
                ('replaces', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='replacement', to='tournaments.matchset')),
            ],
        ),
        migrations.AddField(
            model_name='match',
            name='set',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='matches', to='tournaments.matchset'),
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('fault', 'A bot of yours was at fault in a match'), ('check', 'A version of yours was checked'), ('trial', 'A candidate of yours was tried'), ('set', 'A set that you asked for is over'), ('rank', 'A bot of yours gained or lost a rank'), ('event', 'An event with a bot of yours began, released a round or ended'), ('act', "An organiser's act concerns you"), ('team', 'A team asks you to join'), ('test', 'You tried a webhook')], max_length=10)),
                ('key', models.CharField(max_length=120)),
                ('text', models.CharField(max_length=400)),
                ('path', models.CharField(max_length=200)),
                ('detail', models.JSONField(blank=True, default=dict)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('read_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Practice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rules', models.PositiveIntegerField()),
                ('options', models.JSONField()),
                ('seed', models.CharField(max_length=64)),
                ('seats', models.JSONField()),
                ('script', models.JSONField(default=list)),
                ('moment', models.PositiveIntegerField(blank=True, null=True)),
                ('status', models.CharField(choices=[('waiting', 'The bots are thinking'), ('asking', 'It is your turn'), ('over', 'Played to its end'), ('failed', 'It cannot go on; the reason says why'), ('left', 'Left before its end')], default='waiting', max_length=10)),
                ('turn', models.PositiveIntegerField(default=0)),
                ('until', models.DateTimeField(blank=True, null=True)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('seconds', models.FloatField(default=0)),
                ('reason', models.TextField(blank=True)),
                ('replay', models.BinaryField(blank=True, null=True)),
                ('report', models.JSONField(blank=True, default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('moved_at', models.DateTimeField(auto_now=True)),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='practices', to='tournaments.ladder')),
                ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='forks', to='tournaments.match')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='practices', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddField(
            model_name='draft',
            name='tried',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tournaments.practice'),
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('lease', models.PositiveIntegerField()),
                ('worker', models.CharField(max_length=120)),
                ('tier', models.CharField(max_length=20)),
                ('seconds', models.FloatField()),
                ('replay', models.BinaryField()),
                ('digest', models.CharField(max_length=64)),
                ('recorded_at', models.DateTimeField(auto_now_add=True)),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='result', to='tournaments.match')),
            ],
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('score', models.IntegerField(blank=True, null=True)),
                ('place', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('verdict', models.CharField(blank=True, max_length=20)),
                ('forfeited', models.BooleanField(default=False)),
                ('cpu_ms', models.FloatField(blank=True, null=True)),
                ('memory_mb', models.FloatField(blank=True, null=True)),
                ('stderr', models.TextField(blank=True)),
                ('withdrawn', models.BooleanField(db_default=False, default=False)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='tournaments.match')),
            ],
        ),
        migrations.CreateModel(
            name='FaultEvidence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('answer', models.IntegerField()),
                ('verdict', models.CharField(max_length=20)),
                ('detail', models.TextField()),
                ('asked', models.JSONField(blank=True, null=True)),
                ('given', models.TextField(blank=True)),
                ('seat', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='faults', to='tournaments.seat')),
            ],
            options={
                'verbose_name_plural': 'fault evidence',
            },
        ),
        migrations.CreateModel(
            name='SecondFactor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('secret', models.CharField(max_length=64)),
                ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('last_step', models.PositiveBigIntegerField(default=0)),
                ('papers', models.JSONField(blank=True, default=list)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='second_factor', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='SeedChain',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('length', models.PositiveIntegerField()),
                ('anchor', models.CharField(max_length=64, unique=True)),
                ('root', models.CharField(max_length=64)),
                ('used', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chains', to='tournaments.ladder')),
            ],
        ),
        migrations.AddField(
            model_name='matchset',
            name='chain',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='sets', to='tournaments.seedchain'),
        ),
        migrations.CreateModel(
            name='Team',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('about', models.CharField(blank=True, max_length=500)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('name'), name='one_team_of_a_name'), models.UniqueConstraint(tournaments.models.name_lookalikes.Look('name'), name='no_team_looks_like_another')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('invited', 'Asked to join, and has not answered'), ('member', 'Member'), ('captain', 'Captain: invites and removes members')], default='invited', max_length=10)),
                ('since', models.DateTimeField(auto_now_add=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='tournaments.team')),
            ],
        ),
        migrations.AddField(
            model_name='bot',
            name='team',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='bots', to='tournaments.team'),
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
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trials', to='tournaments.ladder')),
            ],
        ),
        migrations.AddField(
            model_name='matchset',
            name='trial',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sets', to='tournaments.trial'),
        ),
        migrations.CreateModel(
            name='Version',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('filename', models.CharField(blank=True, max_length=100)),
                ('need', models.CharField(default='python', max_length=20)),
                ('note', models.CharField(blank=True, max_length=200)),
                ('status', models.CharField(choices=[('checking', 'Being checked: unpacked, started, and played against itself once'), ('candidate', 'Passed its check and plays its champion, off the ladder'), ('active', 'Passed its check and plays for its bot'), ('retired', 'Passed its check; another version plays now'), ('rejected', 'Failed its check; the report says why')], default='checking', max_length=10)),
                ('report', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='tournaments.bot')),
                ('bundle', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='tournaments.bundle')),
            ],
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
            model_name='seat',
            name='version',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='tournaments.version'),
        ),
        migrations.CreateModel(
            name='RatingStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('milli_elo', models.IntegerField()),
                ('delta', models.IntegerField(default=0)),
                ('sets', models.PositiveIntegerField(default=0)),
                ('games', models.PositiveIntegerField(default=0)),
                ('wins', models.FloatField(default=0)),
                ('places', models.PositiveIntegerField(default=0)),
                ('forfeits', models.PositiveIntegerField(default=0)),
                ('streak', models.PositiveIntegerField(default=0)),
                ('set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='tournaments.matchset')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='tournaments.version')),
            ],
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('milli_elo', models.IntegerField()),
                ('delta', models.IntegerField(default=0)),
                ('sets', models.PositiveIntegerField(default=0)),
                ('games', models.PositiveIntegerField(default=0)),
                ('wins', models.FloatField(default=0)),
                ('places', models.PositiveIntegerField(default=0)),
                ('forfeits', models.PositiveIntegerField(default=0)),
                ('streak', models.PositiveIntegerField(default=0)),
                ('elo', models.FloatField(null=True)),
                ('fitted', models.FloatField(null=True)),
                ('sd', models.FloatField(null=True)),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='tournaments.ladder')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='tournaments.version')),
            ],
        ),
        migrations.AddField(
            model_name='matchset',
            name='checks',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='check_set', to='tournaments.version'),
        ),
        migrations.AddField(
            model_name='matchset',
            name='line',
            field=models.GeneratedField(db_persist=True, expression=models.Case(models.When(checks__isnull=False, then=models.Value('check')), models.When(asked_by__isnull=False, then=models.Value('asked')), models.When(rechecks__isnull=False, then=models.Value('again')), models.When(event__isnull=False, then=django.db.models.functions.text.Concat(models.Value('event '), django.db.models.functions.comparison.Cast('event_id', models.CharField()))), default=django.db.models.functions.text.Concat(models.Value('ladder '), django.db.models.functions.comparison.Cast('ladder_id', models.CharField()))), output_field=models.CharField(max_length=30)),
        ),
        migrations.AddField(
            model_name='ladder',
            name='anchor',
            field=models.ForeignKey(blank=True, help_text='Held at 1000, so that months compare.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tournaments.version'),
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('playing', 'Paired whenever its bot has an active version'), ('withdrawn', 'Withdrawn by its owner; may enter again'), ('suspended', 'Suspended after three sets in a row in which it forfeited; upload a new version'), ('disqualified', 'Disqualified by the organisers; the audit log says why')], default='playing', max_length=12)),
                ('entered_at', models.DateTimeField(auto_now_add=True)),
                ('paired_at', models.DateTimeField(blank=True, null=True)),
                ('next_by', models.DateTimeField(blank=True, null=True)),
                ('unpromised', models.CharField(blank=True, max_length=200)),
                ('broken', models.PositiveIntegerField(default=0)),
                ('told_rank', models.PositiveIntegerField(blank=True, null=True)),
                ('told_on', models.DateField(blank=True, null=True)),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='tournaments.bot')),
                ('ladder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='tournaments.ladder')),
                ('pinned', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tournaments.version')),
            ],
            options={
                'verbose_name_plural': 'entries',
            },
        ),
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
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='tournaments.bot')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entrants', to='tournaments.event')),
                ('version', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='tournaments.version')),
            ],
        ),
        migrations.CreateModel(
            name='Disqualification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('act', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='disqualification', to='tournaments.act')),
                ('bot', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='disqualifications', to='tournaments.bot')),
                ('lifted', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reinstatement', to='tournaments.act')),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='disqualifications', to=settings.AUTH_USER_MODEL)),
                ('ladder', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='disqualifications', to='tournaments.ladder')),
                ('version', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='disqualifications', to='tournaments.version')),
            ],
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.URLField(max_length=300)),
                ('secret', models.CharField(max_length=64)),
                ('kinds', models.JSONField(default=list)),
                ('stopped', models.CharField(blank=True, max_length=200)),
                ('failures', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('status', models.CharField(choices=[('waiting', 'To be sent, or sent again'), ('done', 'It has arrived'), ('failed', 'Given up; the answer says why')], default='waiting', max_length=10)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('next_at', models.DateTimeField()),
                ('answer', models.CharField(blank=True, max_length=200)),
                ('notice', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='tournaments.notice')),
                ('webhook', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='tournaments.webhook')),
            ],
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('username'), name='one_person_of_a_name', violation_error_message='Somebody has this name, or one that people would take for it. Choose another.'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(tournaments.models.name_lookalikes.Look('username'), name='no_person_looks_like_another', violation_error_message='Somebody has this name, or one that people would take for it. Choose another.'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(models.F('id'), condition=models.Q(('status__in', ('registration', 'running'))), name='events_under_way'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(models.F('match'), condition=models.Q(('outcome__in', ('sent', 'playing'))), name='attempts_under_way'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(models.OrderBy(models.F('ended_at'), descending=True), name='latest_attempts'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.UniqueConstraint(models.F('match'), models.F('lease'), name='one_attempt_a_lease'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('outcome__in', ('sent', 'playing'))), models.Q(models.Q(('outcome__in', ('sent', 'playing')), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='an_attempt_has_an_end_when_it_is_over'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(models.F('id'), condition=models.Q(('status', 'waiting')), name='waiting_matches'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(models.F('lease_until'), condition=models.Q(('status', 'leased')), name='leased_matches'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(models.F('status'), condition=models.Q(('status__in', ('quarantined', 'cancelled'))), name='matches_never_played'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.UniqueConstraint(models.F('set'), models.F('turn'), name='one_match_a_rotation'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease__gte', 1), ('lease_until__isnull', False), ('status', 'leased')), models.Q(models.Q(('status', 'leased'), _negated=True), ('lease_until__isnull', True)), _connector='OR'), name='a_leased_match_has_a_lease'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(models.F('user'), models.OrderBy(models.F('id'), descending=True), name='notices_of_a_person'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(models.F('user'), models.F('key'), name='told_once'),
        ),
        migrations.AddIndex(
            model_name='practice',
            index=models.Index(models.F('id'), condition=models.Q(('status', 'waiting')), name='practices_under_way'),
        ),
        migrations.AddIndex(
            model_name='practice',
            index=models.Index(models.F('owner'), models.OrderBy(models.F('id'), descending=True), name='practices_of_a_person'),
        ),
        migrations.AddConstraint(
            model_name='practice',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('match__isnull', True), ('moment__isnull', True)), models.Q(('match__isnull', False), ('moment__isnull', False)), _connector='OR'), name='a_fork_has_a_moment'),
        ),
        migrations.AddIndex(
            model_name='draft',
            index=models.Index(models.F('owner'), models.OrderBy(models.F('saved_at'), descending=True), name='drafts_of_a_person'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(models.OrderBy(models.F('recorded_at'), descending=True), name='latest_results'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('lease__gte', 1)), name='a_result_has_a_lease'),
        ),
        migrations.AddConstraint(
            model_name='seedchain',
            constraint=models.UniqueConstraint(models.F('ladder'), models.F('number'), name='chains_of_a_ladder_are_numbered'),
        ),
        migrations.AddConstraint(
            model_name='seedchain',
            constraint=models.CheckConstraint(condition=models.Q(('used__lte', models.F('length'))), name='a_chain_ends'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(models.F('team'), models.F('user'), name='one_place_a_person_in_a_team'),
        ),
        migrations.AddConstraint(
            model_name='bot',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('name'), models.F('game'), name='one_bot_of_a_name_in_a_game'),
        ),
        migrations.AddConstraint(
            model_name='bot',
            constraint=models.UniqueConstraint(tournaments.models.name_lookalikes.Look('name'), models.F('game'), name='no_bot_looks_like_another_of_its_game'),
        ),
        migrations.AddConstraint(
            model_name='version',
            constraint=models.UniqueConstraint(models.F('bot'), models.F('number'), name='version_numbers_do_not_repeat'),
        ),
        migrations.AddConstraint(
            model_name='version',
            constraint=models.UniqueConstraint(models.F('bot'), condition=models.Q(('status', 'active')), name='one_active_version_a_bot'),
        ),
        migrations.AddConstraint(
            model_name='version',
            constraint=models.UniqueConstraint(models.F('bot'), condition=models.Q(('status', 'checking')), name='one_version_in_check_a_bot'),
        ),
        migrations.AddConstraint(
            model_name='version',
            constraint=models.UniqueConstraint(models.F('bot'), condition=models.Q(('status', 'candidate')), name='one_candidate_a_bot'),
        ),
        migrations.AddIndex(
            model_name='trial',
            index=models.Index(models.F('id'), condition=models.Q(('status', 'running')), name='trials_under_way'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(models.F('version'), models.OrderBy(models.F('match'), descending=True), name='matches_of_a_version'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(models.F('match'), models.F('number'), name='one_bot_a_seat'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('place__isnull', True), ('score__isnull', True), ('verdict', '')), models.Q(('place__gte', 1), ('score__isnull', False), models.Q(('verdict', ''), _negated=True)), _connector='OR'), name='a_seat_has_all_of_its_outcome_or_none'),
        ),
        migrations.AddIndex(
            model_name='ratingstep',
            index=models.Index(models.F('version'), models.OrderBy(models.F('set'), descending=True), name='steps_of_a_version'),
        ),
        migrations.AddConstraint(
            model_name='ratingstep',
            constraint=models.UniqueConstraint(models.F('set'), models.F('version'), name='one_step_a_version_in_a_set'),
        ),
        migrations.AddIndex(
            model_name='rating',
            index=models.Index(models.F('ladder'), models.OrderBy(models.F('elo'), descending=True, nulls_last=True), models.F('id'), name='standings'),
        ),
        migrations.AddConstraint(
            model_name='rating',
            constraint=models.UniqueConstraint(models.F('ladder'), models.F('version'), name='one_rating_a_version_in_a_ladder'),
        ),
        migrations.AddIndex(
            model_name='matchset',
            index=models.Index(models.F('id'), condition=models.Q(('status', 'open')), name='open_sets'),
        ),
        migrations.AddIndex(
            model_name='matchset',
            index=models.Index(models.F('id'), condition=models.Q(('reason', ''), ('rechecks__isnull', False), ('status', 'complete')), name='spot_checks_to_compare'),
        ),
        migrations.AddIndex(
            model_name='matchset',
            index=models.Index(models.F('ladder'), models.OrderBy(models.F('ended_at'), descending=True), condition=models.Q(('rated', True)), name='latest_rated_sets'),
        ),
        migrations.AddIndex(
            model_name='matchset',
            index=models.Index(models.F('line'), models.F('game'), models.F('rules'), models.F('needs'), models.F('id'), condition=models.Q(('status', 'open')), name='lines'),
        ),
        migrations.AddIndex(
            model_name='matchset',
            index=models.Index(models.F('id'), condition=models.Q(('needs', ''), ('status', 'open')), name='sets_of_unknown_needs'),
        ),
        migrations.AddIndex(
            model_name='matchset',
            index=models.Index(models.F('ladder'), condition=models.Q(('counts', True), ('number__isnull', False), ('rated', False), ('status', 'complete')), name='sets_to_rate'),
        ),
        migrations.AddConstraint(
            model_name='matchset',
            constraint=models.UniqueConstraint(models.F('ladder'), models.F('number'), name='set_numbers_do_not_repeat'),
        ),
        migrations.AddConstraint(
            model_name='matchset',
            constraint=models.UniqueConstraint(models.F('event'), models.F('pairing'), condition=models.Q(('event__isnull', False), models.Q(('status', 'void'), _negated=True)), name='a_pairing_is_played_once'),
        ),
        migrations.AddConstraint(
            model_name='matchset',
            constraint=models.CheckConstraint(condition=models.Q(('rated', False), models.Q(('counts', True), ('number__isnull', False), ('status', 'complete')), _connector='OR'), name='complete_ladder_sets_are_rated'),
        ),
        migrations.AddConstraint(
            model_name='matchset',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('asked_by__isnull', True), ('checks__isnull', True), ('event__isnull', True), ('ladder__isnull', False), ('number__isnull', False), ('rechecks__isnull', True), ('trial__isnull', True)), models.Q(('asked_by__isnull', True), ('checks__isnull', True), ('event__isnull', False), ('ladder__isnull', False), ('number__isnull', True), ('rechecks__isnull', True), ('trial__isnull', True)), models.Q(('asked_by__isnull', True), ('checks__isnull', True), ('event__isnull', True), ('ladder__isnull', False), ('number__isnull', True), ('rechecks__isnull', True), ('trial__isnull', False)), models.Q(('asked_by__isnull', True), ('checks__isnull', True), ('event__isnull', True), ('ladder__isnull', False), ('number__isnull', True), ('rechecks__isnull', False), ('trial__isnull', True)), models.Q(('asked_by__isnull', False), ('checks__isnull', True), ('event__isnull', True), ('ladder__isnull', False), ('number__isnull', True), ('rechecks__isnull', True), ('trial__isnull', True)), models.Q(('asked_by__isnull', True), ('checks__isnull', False), ('event__isnull', True), ('ladder__isnull', True), ('number__isnull', True), ('rechecks__isnull', True), ('trial__isnull', True)), _connector='OR'), name='a_set_belongs_to_one_thing'),
        ),
        migrations.AddConstraint(
            model_name='matchset',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('event__isnull', True), ('pairing', ''), ('round__isnull', True)), models.Q(('event__isnull', False), ('round__isnull', False), models.Q(('pairing', ''), _negated=True)), _connector='OR'), name='sets_of_events_have_a_round_and_a_pairing'),
        ),
        migrations.AddConstraint(
            model_name='matchset',
            constraint=models.UniqueConstraint(models.F('chain'), models.F('link'), name='a_link_is_used_once'),
        ),
        migrations.AddConstraint(
            model_name='matchset',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('chain__isnull', True), ('link__isnull', True)), models.Q(('chain__isnull', False), ('link__gte', 1)), _connector='OR'), name='a_link_is_of_a_chain'),
        ),
        migrations.AddConstraint(
            model_name='matchset',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('status', 'open')), models.Q(models.Q(('status', 'open'), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='a_set_has_an_end_when_it_is_over'),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('strikes__gte', 1)), name='at_least_one_strike'),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('answer_ms__range', (10, 60000))), name='answer_ms_in_range'),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('bank_ms__range', (100, 3600000))), name='bank_ms_in_range'),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('start_ms__range', (100, 60000))), name='start_ms_in_range'),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('increment_ms__range', (0, 60000))), name='increment_ms_in_range'),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('line_kb__range', (1, 256))), name='line_kb_in_range'),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('output_kb__range', (16, 16384))), name='output_kb_in_range'),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('stderr_kb__range', (1, 64))), name='stderr_kb_in_range'),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('memory_mb__range', (64, 65536))), name='memory_mb_in_range'),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('threads__range', (1, 1024))), name='threads_in_range'),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('files_mb__range', (0, 1024))), name='files_mb_in_range'),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('open_files__range', (16, 4096))), name='open_files_in_range'),
        ),
        migrations.AddConstraint(
            model_name='ladder',
            constraint=models.CheckConstraint(condition=models.Q(('temp_mb__range', (1, 4096))), name='temp_mb_in_range'),
        ),
        migrations.AddIndex(
            model_name='entry',
            index=models.Index(models.F('next_by'), condition=models.Q(('status', 'playing')), name='promises'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(models.F('ladder'), models.F('bot'), name='a_bot_enters_a_ladder_once'),
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
            model_name='disqualification',
            index=models.Index(models.F('ladder'), condition=models.Q(('lifted__isnull', True)), name='disqualifications_now'),
        ),
        migrations.AddConstraint(
            model_name='disqualification',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('bot__isnull', True), ('owner__isnull', True), ('version__isnull', False)), models.Q(('bot__isnull', False), ('owner__isnull', True), ('version__isnull', True)), models.Q(('bot__isnull', True), ('owner__isnull', False), ('version__isnull', True)), _connector='OR'), name='one_version_bot_or_owner_is_disqualified'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(models.F('next_at'), condition=models.Q(('status', 'waiting')), name='deliveries_to_make'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(models.F('notice'), models.F('webhook'), name='one_delivery_a_webhook'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(models.F('notice'), condition=models.Q(('webhook__isnull', True)), name='one_mail_a_notice'),
        ),
        migrations.RunSQL(KEEP, LET_GO),
    ]
