"""What people follow, the news of it, and the letter of the week."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0003_webhook_receivers'),
    ]

    operations = [
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('fault', 'A bot of yours was at fault in a match'), ('check', 'A version of yours was checked'), ('trial', 'A trial of one of your versions is over'), ('set', 'A set that you asked for is over'), ('rank', 'A bot of yours gained or lost a rank'), ('event', 'An event with a bot of yours began, released a round or ended'), ('act', "An organiser's act concerns you"), ('team', 'A team asks you to join'), ('space', 'You are invited to a space, somebody asks to join yours, or was answered'), ('game', 'A game with other people waits for you, has begun or is over'), ('account', 'Somebody may be using your account'), ('follow', 'Something that you follow has news'), ('week', 'A week is over: how your bots did'), ('test', 'You tested a webhook')], max_length=10),
        ),
        migrations.CreateModel(
            name='WeeklyLetter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('language', models.CharField(max_length=10)),
                ('due_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('places', models.JSONField(blank=True, null=True)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='weekly_letter', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Follow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField(auto_now_add=True)),
                ('bot', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='tournaments.bot')),
                ('event', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='tournaments.event')),
                ('ladder', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='tournaments.ladder')),
                ('person', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss_of', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='follows', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(models.F('bot'), models.F('id'), name='followers_by_bot'), models.Index(models.F('person'), models.F('id'), name='followers_by_person'), models.Index(models.F('ladder'), models.F('id'), name='followers_by_ladder'), models.Index(models.F('event'), models.F('id'), name='followers_by_event')],
                'constraints': [models.UniqueConstraint(models.F('user'), models.F('bot'), name='bot_is_followed_once'), models.UniqueConstraint(models.F('user'), models.F('person'), name='person_is_followed_once'), models.UniqueConstraint(models.F('user'), models.F('ladder'), name='ladder_is_followed_once'), models.UniqueConstraint(models.F('user'), models.F('event'), name='event_is_followed_once'), models.CheckConstraint(condition=models.Q(models.Q(('bot__isnull', False), ('event__isnull', True), ('ladder__isnull', True), ('person__isnull', True)), models.Q(('bot__isnull', True), ('event__isnull', True), ('ladder__isnull', True), ('person__isnull', False)), models.Q(('bot__isnull', True), ('event__isnull', True), ('ladder__isnull', False), ('person__isnull', True)), models.Q(('bot__isnull', True), ('event__isnull', False), ('ladder__isnull', True), ('person__isnull', True)), _connector='OR'), name='one_thing_is_followed')],
            },
        ),
        migrations.CreateModel(
            name='NewsItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=120, unique=True)),
                ('kind', models.CharField(choices=[('bot', 'A person has a new bot'), ('version', 'A bot plays with a new version'), ('rank', 'A bot gained or lost a rank'), ('status', 'A ladder was closed, or opened again'), ('said', 'Organisers announced something'), ('announced', 'An event takes bots'), ('began', 'An event has begun'), ('round', 'A round is out'), ('winner', 'An event has a winner'), ('cancelled', 'An event was called off')], max_length=10)),
                ('template', models.CharField(max_length=200)),
                ('filled', models.JSONField(blank=True, default=dict)),
                ('text', models.CharField(blank=True, max_length=400)),
                ('round', models.PositiveIntegerField(default=0)),
                ('path', models.CharField(max_length=200)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('told', models.PositiveBigIntegerField(blank=True, null=True)),
                ('missed', models.JSONField(blank=True, default=list)),
                ('bot', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='tournaments.bot')),
                ('event', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='tournaments.event')),
                ('ladder', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='tournaments.ladder')),
                ('person', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss_of', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(models.F('bot'), models.OrderBy(models.F('id'), descending=True), name='news_by_bot'), models.Index(models.F('person'), models.OrderBy(models.F('id'), descending=True), name='news_by_person'), models.Index(models.F('ladder'), models.OrderBy(models.F('id'), descending=True), name='news_by_ladder'), models.Index(models.F('event'), models.OrderBy(models.F('id'), descending=True), name='news_by_event'), models.Index(models.F('id'), condition=models.Q(('told__isnull', False), models.Q(('missed', []), _negated=True), _connector='OR'), name='news_to_tell')],
            },
        ),
    ]
