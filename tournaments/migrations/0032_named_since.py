from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Max


def begin_where_named(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    """Of bots that were named over another that had entered first, the sets of before no longer count."""
    Entry, MatchSet = apps.get_model('tournaments', 'Entry'), apps.get_model('tournaments', 'MatchSet')
    for entry in Entry.objects.filter(bot__named_at__isnull=False).select_related('bot').iterator():
        others = Entry.objects.filter(ladder=entry.ladder_id, bot__owner=entry.bot.owner_id)
        if others.order_by('entered_at', 'pk').values_list('pk', flat=True).first() == entry.pk:
            continue
        dealt = MatchSet.objects.filter(ladder=entry.ladder_id, created_at__lte=entry.bot.named_at)
        entry.named_after = dealt.aggregate(last=Max('number'))['last']
        entry.save(update_fields=['named_after'])


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0031_likenesses'),
    ]

    operations = [
        migrations.AddField(
            model_name='bot',
            name='counts_meanwhile',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='entry',
            name='named_after',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='fit',
            name='named',
            field=models.JSONField(db_default={}, default=dict),
        ),
        migrations.RunPython(begin_where_named, migrations.RunPython.noop),
    ]
