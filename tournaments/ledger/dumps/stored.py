"""The existing dumps, according to their manifests."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from tournaments.ledger.dumps.dump import MANIFEST


def manifest_of(root: Path, slug: str) -> dict[str, Any] | None:
    """Return the manifest of the ladder's dump, None if there is none."""
    try:
        manifest: dict[str, Any] = json.loads((root / slug / MANIFEST).read_bytes())
    except FileNotFoundError:
        return None
    return manifest


def manifests(root: Path) -> list[dict[str, Any]]:
    """Return all manifests, the last made first."""
    slugs = [path.parent.name for path in root.glob(f"*/{MANIFEST}")]
    stored = [manifest for slug in slugs if (manifest := manifest_of(root, slug))]
    return sorted(stored, key=lambda manifest: str(manifest["made_at"]), reverse=True)


def stored_file(root: Path, slug: str, name: str) -> tuple[Path, str, str] | None:
    """Return where a file of the dump lies, its SHA-256 and its type; None if the manifest does not name it."""
    manifest = manifest_of(root, slug)
    if manifest is None:
        return None
    if name == MANIFEST:
        path = root / slug / MANIFEST
        return path, sha256(path.read_bytes()).hexdigest(), "application/json"
    file = next((file for file in manifest["files"] if file["name"] == name), None)
    return file and (root / slug / file["stored"], file["sha256"], file["type"])
