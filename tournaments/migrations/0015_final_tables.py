"""Where the final table of a ladder begins, and what a fit says of it. Ladders that are frozen now begin here."""

from django.db import migrations, models

BEGIN = """
UPDATE tournaments_ladder SET final_after =
    coalesce((SELECT max(number) FROM tournaments_matchset WHERE ladder_id = tournaments_ladder.id), 0)
WHERE status = 'frozen'
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0014_floors")]

    operations = [
        migrations.AddField("ladder", "final_after", models.PositiveIntegerField(null=True, blank=True)),
        migrations.AddField("fit", "final", models.JSONField(null=True)),
        migrations.RunSQL(BEGIN, migrations.RunSQL.noop),
    ]
