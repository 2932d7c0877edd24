"""Folders of bundles for workers under test: one for each, but what works on this machine is tried once in a run."""

import os
from pathlib import Path


def a_cache(folder: Path) -> str:
    """The folder, made as a worker would, with the proofs of the run (`workers/capability_cache.py`) in its store."""
    proofs, store = Path(os.environ["RUN_FOLDER"], "proofs"), folder / "unpacked"
    proofs.mkdir(exist_ok=True)
    if not store.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        store.mkdir()
        (store / ".proofs").symlink_to(proofs)
    return str(folder)
