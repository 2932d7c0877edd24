"""Bots in several languages: what each version needs of a worker, and the name it was uploaded by."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce


def name_versions(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    bundles = apps.get_model("tournaments", "Bundle").objects.filter(pk=OuterRef("bundle"))
    apps.get_model("tournaments", "Version").objects.update(filename=Subquery(bundles.values("filename")[:1]))  # type: ignore[misc]


def name_bundles(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    """The way back: a bundle that several have uploaded has the name of one of them."""
    versions = apps.get_model("tournaments", "Version").objects.filter(bundle=OuterRef("pk")).order_by("pk")
    named = Coalesce(Subquery(versions.values("filename")[:1]), Value(""))
    apps.get_model("tournaments", "Bundle").objects.update(filename=named)  # type: ignore[misc]


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_the_ledger")]

    operations = [
        migrations.AddField("version", "filename", models.CharField(blank=True, default="", max_length=100), False),
        migrations.AddField("version", "need", models.CharField(default="python", max_length=20)),
        migrations.RunPython(name_versions, name_bundles),
        migrations.AlterField("bundle", "filename", models.CharField(default="", max_length=100)),  # for the way back
        migrations.RemoveField("bundle", "filename"),
        migrations.AddField("seat", "memory_mb", models.FloatField(blank=True, null=True)),
        migrations.AddConstraint(
            "ladder",
            models.CheckConstraint(condition=Q(memory_mb__gte=64, memory_mb__lte=8192), name="memory_within_reason"),
        ),
    ]
