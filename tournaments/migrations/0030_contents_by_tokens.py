"""Contents are compared by tokens now, so those of before are read anew."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from bots.archive import BundleError
from bots.bundle import read_bundle
from bots.contents import fingerprint


def contents(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    """Of the versions that have any."""
    versions = apps.get_model("tournaments", "Version").objects
    wanted = versions.exclude(contents="").values_list("pk", "filename", "bundle")
    for pk, filename, bundle in wanted.iterator(200):
        stored = apps.get_model("tournaments", "Bundle").objects.get(pk=bundle)
        versions.filter(pk=pk).update(contents=_fingerprint(bytes(stored.content), filename))


def _fingerprint(content: bytes, filename: str) -> str:
    try:
        return fingerprint(read_bundle(content, filename))
    except BundleError:  # what an earlier release took may be refused today; it is compared with nothing
        return ""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0029_absences")]
    operations = [migrations.RunPython(contents, migrations.RunPython.noop)]
