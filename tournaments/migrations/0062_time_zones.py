from django.db import migrations, models

THAWED = "UPDATE tournaments_course SET thawed_at = CASE WHEN thawed_at = deadline THEN now() END"


class Migration(migrations.Migration):
    """What the platform had frozen and was thawed since is not frozen again for the same deadline."""

    dependencies = [("tournaments", "0061_spending")]

    operations = [
        migrations.AddField("course", "time_zone", models.CharField(blank=True, db_default="", default="", max_length=60)),
        migrations.AddField("space", "time_zone", models.CharField(blank=True, db_default="", default="", max_length=60)),
        migrations.RenameField("course", "frozen_for", "thawed_at"),
        migrations.RunSQL(THAWED, "UPDATE tournaments_course SET thawed_at = NULL"),
    ]
