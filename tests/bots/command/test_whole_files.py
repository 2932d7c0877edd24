"""What the kit writes is there whole or not at all."""

import errno
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bots.command.main import main
from bots.command.settings import FOLDER, Settings, write_settings
from bots.command.whole_files import write_all, write_whole
from tests.games.record import RECORDED

Captured = pytest.CaptureFixture[str]


@contextmanager
def no_file_larger_than(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    out, link = tmp_path / "out", tmp_path / "link"
    write_whole(out, b"old")
    out.chmod(0o640)
    link.symlink_to(out)
    with no_file_larger_than(1000), pytest.raises(OSError, match="large"):
        write_whole(out, bytes(2000))
    assert out.read_bytes() == b"old"
    write_whole(link, b"new")
    assert (out.read_bytes(), link.is_symlink(), out.stat().st_mode & 0o777) == (b"new", True, 0o640)
    assert sorted(tmp_path.iterdir()) == [link, out]


def test_of_files_that_belong_together_none_is_left(tmp_path: Path) -> None:
    texts = {"a": "first", "b": "x" * 2000}
    with no_file_larger_than(1000), pytest.raises(OSError, match="large"):
        write_all(tmp_path / "fresh", texts)
    assert not (tmp_path / "fresh").exists()
    (tmp_path / "kept").write_text("mine")
    with no_file_larger_than(1000), pytest.raises(OSError, match="large"):
        write_all(tmp_path, texts)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_where_nothing_can_be_removed_either_the_first_error_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setenv(FOLDER, str(tmp_path / "settings"))
    monkeypatch.setattr(Path, "unlink", refuse)
    writers: list[Callable[[], None]] = [
        lambda: write_whole(tmp_path / "out", bytes(2000)),
        lambda: write_all(tmp_path / "fresh", {"a": "first", "b": "x" * 2000}),
        lambda: write_settings(Settings("x" * 2000)),
    ]
    for write in writers:
        with no_file_larger_than(1000), pytest.raises(OSError, match="large"):
            write()


def test_a_new_bot_that_finds_no_room_can_be_made_again(tmp_path: Path, capsys: Captured) -> None:
    folder = tmp_path / "a bot's folder"
    assert main(["new", "zaibatsu", str(tmp_path / "first")]) == 0  # what is imported now leaves no half of its own
    with no_file_larger_than(1000):
        assert main(["new", "zaibatsu", str(folder)]) == 1
    assert "[cannot_read_or_write]" in capsys.readouterr().err
    assert main(["new", "zaibatsu", str(folder)]) == 0
    assert "'\"'\"'s folder' random" in capsys.readouterr().out  # quoted, as a shell wants it


def test_a_folder_among_replays_stops_no_other(tmp_path: Path, capsys: Captured) -> None:
    replay = RECORDED / "zaibatsu-3.json"
    assert main(["verify", str(tmp_path), str(replay)]) == 2
    output = capsys.readouterr()
    assert "is_folder: it is a folder" in output.err
    assert main(["verify", str(tmp_path / "nowhere.json")]) == 2
    assert "cannot_read_or_write: there is no such file" in capsys.readouterr().err
    assert str(replay) in output.out  # one odd file stops no other
