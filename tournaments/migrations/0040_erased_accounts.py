"""Accounts can be erased. Of an act only the parts that name people give way then, and only where that is said aloud."""

from django.db import migrations, models

KEEP = """
CREATE OR REPLACE FUNCTION tournaments_keep_act() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND current_setting('boardroom.erasing', true) = 'on' THEN
        IF (NEW.id, NEW.number, NEW.kind, NEW.at, NEW.previous, NEW.digest)
            = (OLD.id, OLD.number, OLD.kind, OLD.at, OLD.previous, OLD.digest) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'acts are kept as they are: what was done is undone by another act'
        USING ERRCODE = 'restrict_violation';
END $$;
"""
BEFORE = """
CREATE OR REPLACE FUNCTION tournaments_keep_act() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'acts are kept as they are: what was done is undone by another act'
        USING ERRCODE = 'restrict_violation';
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0039_shared_games")]
    operations = [
        migrations.AddField("act", "salts", models.JSONField(blank=True, db_default={}, default=dict)),
        migrations.AddField("act", "erased", models.JSONField(blank=True, db_default={}, default=dict)),
        migrations.AddField(
            "result", "rewritten", models.CharField(blank=True, db_default="", default="", max_length=64)
        ),
        migrations.AddIndex(
            "result", models.Index("match", condition=models.Q(rewritten="", _negated=True), name="rewritten_replays")
        ),
        migrations.AddField("bot", "former_names", models.JSONField(blank=True, db_default=[], default=list)),
        migrations.AddField("user", "erase_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("user", "erased_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("user", "erased_up_to", models.PositiveBigIntegerField(db_default=0, default=0)),
        migrations.AddIndex(
            "user", models.Index("erase_at", condition=models.Q(erase_at__isnull=False), name="accounts_to_erase")
        ),
        migrations.RunSQL(KEEP, BEFORE),
    ]
