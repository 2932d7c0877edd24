"""Bots in several languages: what each version needs of a worker, and the name it was uploaded by."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Q, Subquery


def name_versions(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    bundles = apps.get_model("tournaments", "Bundle").objects.filter(pk=OuterRef("bundle"))
    apps.get_model("tournaments", "Version").objects.update(filename=Subquery(bundles.values("filename")[:1]))  # type: ignore[misc]


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_the_ledger")]

    operations = [
        migrations.AddField("version", "filename", models.CharField(blank=True, default="", max_length=100), False),
        migrations.AddField("version", "need", models.CharField(default="python", max_length=20)),
        migrations.RunPython(name_versions, migrations.RunPython.noop),
        migrations.RemoveField("bundle", "filename"),
        migrations.AddField("seat", "memory_mb", models.FloatField(blank=True, null=True)),
        migrations.AddConstraint(
            "ladder",
            models.CheckConstraint(condition=Q(memory_mb__gte=64, memory_mb__lte=8192), name="memory_within_reason"),
        ),
    ]
