"""The database itself refuses to change or take out an act: a slip of ours, or of a person at its prompt, is stopped.

Whoever may drop the trigger can still rewrite the log; against that there are the digests, and heads kept elsewhere.
"""

from django.db import migrations

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
    dependencies = [("tournaments", "0007_operating")]
    operations = [migrations.RunSQL(KEEP, LET_GO)]
