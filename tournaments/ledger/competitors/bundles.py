"""Uploads are stored under their hash, once."""

from tournaments.ledger.competitors.disk_space import check_disk
from tournaments.models import Bundle, Practice


def keep_bundle(sha256: str, data: bytes) -> Bundle:
    """Return the bundle; the bytes of one whose owner was erased come back with whoever uploads the same.

    Raises Refused: disk_full.
    """
    check_disk()
    bundle, _ = Bundle.objects.get_or_create(sha256=sha256, defaults={"content": data, "size": len(data)})
    if not bundle.size:
        bundle.content, bundle.size = data, len(data)
        bundle.save(update_fields=["content", "size"])
    return bundle


def bundles_of(practice: Practice) -> set[str]:
    """Return the hashes of the drafts and samples that play in a practice."""
    return {seat[kind] for seat in practice.seats for kind in ("draft", "sample") if kind in seat}
