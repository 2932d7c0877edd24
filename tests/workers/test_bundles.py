"""Bundles are fetched by hash, checked, kept and thrown away."""

import io
import os
import resource
import subprocess
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from socket import gethostname

import pytest

from tests.workers.hall import HONEST, TOKEN, Site
from workers import bundles
from workers.bundles import CannotFetch, Shelf, own_folder


def test_a_bundle_is_fetched_once_with_the_workers_token_and_kept_for_the_next_worker(site: Site, shelf: Shelf) -> None:
    bot = site.put(HONEST)
    assert shelf.take(bot.bundle, bot.filename).manifest.entry == "bot.py"
    another = Shelf(shelf.folder, site.url, TOKEN)
    for place in (shelf, another, another):
        assert place.take(bot.bundle, bot.filename).sha256 == bot.bundle
    assert (shelf.unpacked / f"{bot.bundle}.python" / "bot.py").read_text() == HONEST
    assert site.requests == [(f"/api/v1/bundles/{bot.bundle}", f"Worker {TOKEN}")]


def test_bytes_of_another_hash_are_refused_and_leave_no_trace(site: Site, shelf: Shelf) -> None:
    bot = site.put(HONEST)
    site.bundles[bot.bundle] = b"print('somebody else')"
    with pytest.raises(CannotFetch, match=f"the site sent bytes of SHA-256 [0-9a-f]+ for bundle {bot.bundle}"):
        shelf.take(bot.bundle, bot.filename)
    assert not [path for path in shelf.folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize(("token", "code"), [(TOKEN, 404), ("stolen", 403)])
def test_a_site_that_says_no_is_asked_once(site: Site, shelf: Shelf, token: str, code: int) -> None:
    shelf.token = token
    with pytest.raises(CannotFetch, match=f"the site answered {code}"):
        shelf.take("0" * 64, "bot.py")
    assert len(site.requests) == 1


def test_a_site_in_trouble_is_asked_again(site: Site, shelf: Shelf) -> None:
    bot = site.put(HONEST)
    site.failures = 2
    assert shelf.take(bot.bundle, bot.filename).sha256 == bot.bundle
    assert len(site.requests) == 3


def test_a_site_out_of_reach_is_said_with_its_address(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundles, "FIRST_PAUSE", 0.01)
    shelf.site = "http://127.0.0.1:9"
    with pytest.raises(CannotFetch, match=r"cannot be reached at http://127\.0\.0\.1:9/api/v1/bundles/0+: .*refused"):
        shelf.take("0" * 64, "bot.py")


def test_a_redirect_does_not_carry_the_token_away(site: Site, shelf: Shelf) -> None:
    site.redirect = f"{site.url}/elsewhere"
    with pytest.raises(CannotFetch, match="the site answered 302"):
        shelf.take("0" * 64, "bot.py")
    assert len(site.requests) == 1


@pytest.mark.parametrize("name", ["../../etc/passwd", "0" * 63, "0" * 65, "G" * 64, "", "0" * 64 + "\n"])
def test_only_a_hash_names_a_bundle(site: Site, shelf: Shelf, name: str) -> None:
    with pytest.raises(CannotFetch, match="named by a SHA-256 in hex"):
        shelf.take(name, "bot.py")
    assert not site.requests


def test_in_place_of_a_bundle_that_cannot_be_read_plays_one_that_says_why(site: Site, shelf: Shelf) -> None:
    bot = site.put(b"PK\x03\x04 and then nothing like a zip", "bot.zip")
    stand_in = shelf.take(bot.bundle, bot.filename)
    assert "the zip cannot be read" in (shelf.unpacked / stand_in.folder / stand_in.manifest.entry).read_text()
    assert shelf.take(bot.bundle, bot.filename).sha256 == stand_in.sha256


def test_a_kept_upload_that_rotted_is_fetched_again(site: Site, shelf: Shelf) -> None:
    bot = site.put(HONEST)
    shelf.take(bot.bundle, bot.filename)
    (shelf.folder / "uploads" / bot.bundle).write_bytes(b"rot")
    assert Shelf(shelf.folder, site.url, TOKEN).take(bot.bundle, bot.filename).sha256 == bot.bundle
    assert sha256((shelf.folder / "uploads" / bot.bundle).read_bytes()).hexdigest() == bot.bundle


def _age(shelf: Shelf, name: str, hours: float) -> None:
    then = time.time() - hours * 3600
    os.utime(shelf.folder / "uploads" / name, (then, then))


def _kept(shelf: Shelf) -> set[str]:
    return {path.stem for path in shelf.unpacked.iterdir()}


def test_what_was_used_longest_ago_makes_room_and_what_may_be_in_use_stays(site: Site, shelf: Shelf) -> None:
    old, older, recent, new, last = (site.put(f"# {'x' * 20_000} {number}") for number in range(5))
    for bot in (old, older, recent):
        shelf.take(bot.bundle, "bot.py")
    _age(shelf, old.bundle, 2)
    _age(shelf, older.bundle, 3)
    shelf.limit = bundles.BIGGEST + 120_000  # two of them, upload and file, with their folders
    shelf.take(new.bundle, "bot.py")
    assert _kept(shelf) == {old.bundle, recent.bundle, new.bundle}
    shelf.limit = 0
    shelf.take(last.bundle, "bot.py")
    assert _kept(shelf) == {recent.bundle, new.bundle, last.bundle}
    shelf.take(old.bundle, "bot.py")  # what was thrown away is simply fetched again
    assert _kept(shelf) == {old.bundle, recent.bundle, new.bundle, last.bundle}


def test_what_a_killed_worker_left_half_made_is_cleared_away_when_it_is_old(site: Site, shelf: Shelf) -> None:
    bot = site.put(HONEST)
    for name in (".new-unfinished", ".old-doomed", ".new-young"):
        (shelf.unpacked / name / "deeper").mkdir(parents=True)
    for name in (".new-unfinished", ".old-doomed"):
        os.utime(shelf.unpacked / name, (0, 0))
    shelf.take(bot.bundle, bot.filename)
    assert {path.name for path in shelf.unpacked.iterdir()} == {".new-young", f"{bot.bundle}.python"}


@pytest.mark.parametrize("filename", ["bot.py", "bot.zip"])
def test_a_bundle_for_which_there_is_no_room_leaves_no_half(site: Site, shelf: Shelf, filename: str) -> None:
    """The disk is as good as full: no file of this process may have more than 2,000 bytes, packed or not."""
    source = HONEST + "# " + "x" * 9000
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot.py", source)
    bot = site.put(packed.getvalue() if filename == "bot.zip" else source, filename)
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, most[1]))
    try:
        with pytest.raises(CannotFetch, match=f"a bundle cannot be kept in {shelf.folder}: File too large"):
            shelf.take(bot.bundle, bot.filename)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    assert not list(shelf.folder.rglob(".new-*"))
    assert shelf.take(bot.bundle, bot.filename).manifest.entry == "bot.py"


def test_a_worker_clears_away_at_its_start_what_a_killed_one_left_and_nothing_of_others(shelf: Shelf) -> None:
    with subprocess.Popen(["true"]) as killed:
        pass
    host, gone, another = gethostname(), killed.pid, os.getppid()
    left = [f".new-{host}-{gone}-a_b", f".old-{host}-{gone}-{'0' * 64}.c", f".new-{host}-{os.getpid()}-earlier"]
    kept = [f".new-{host}-{another}-c", f".new-elsewhere-{gone}-d", ".new-e", f"{'1' * 64}.python"]
    for folder in (shelf.unpacked, shelf.folder / "uploads"):
        for name in (*left, *kept):
            (folder / name / "deeper").mkdir(parents=True)
        (folder / f".new-{host}-{gone}-file").touch()
    shelf.clear_leftovers()
    for folder in (shelf.unpacked, shelf.folder / "uploads"):
        assert {path.name for path in folder.iterdir()} == set(kept)


def test_many_workers_may_take_the_same_bundle_at_once(site: Site, shelf: Shelf) -> None:
    bot = site.put(HONEST)
    shelves = [Shelf(shelf.folder, site.url, TOKEN) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda worker_shelf: worker_shelf.take(bot.bundle, bot.filename).sha256, shelves))
    assert taken == [bot.bundle] * 8
    assert {path.name for path in shelf.folder.rglob("*")} == {
        *("uploads", "unpacked", bot.bundle, f"{bot.bundle}.python", "bot.py")
    }


def test_the_folder_for_bundles_is_ours_alone(tmp_path: Path) -> None:
    assert own_folder(str(tmp_path / "new")).stat().st_mode & 0o777 == 0o700
    (tmp_path / "open").mkdir(mode=0o755)
    (tmp_path / "link").symlink_to(tmp_path / "new")
    for name in ("open", "link"):
        with pytest.raises(PermissionError, match="must be a folder of this user alone"):
            own_folder(str(tmp_path / name))
