"""What `boardroom new` makes in a language with a typed SDK plays whole matches in the sandbox, from its sources."""

from pathlib import Path

import pytest

from bots.bindings import GENERATORS
from bots.command.main import main
from bots.command.new import uploaded_in
from bots.contest import packed_folder
from bots.languages import LANGUAGES
from tests.languages.played import against_honest, need_new, verdicts
from tests.workers.hall import Site
from workers.match import Kit

IN_EACH_TIER = True
ON_SITES = [language for language in GENERATORS if not LANGUAGES[uploaded_in(language)].home_only]


@pytest.mark.parametrize("language", ON_SITES)
def test_a_new_bot_plays_a_whole_match_in_the_sandbox(site: Site, kit: Kit, language: str, tmp_path: Path) -> None:
    need_new(language, kit)
    assert main(["new", "zaibatsu", str(tmp_path / "new"), "--lang", language]) == 0
    report = against_honest(site, kit, packed_folder(tmp_path / "new"), "new.zip")
    assert verdicts(report) == ["ok", "ok"], report.stderr[0].text
    assert report.faults == []
    assert 0 < report.memory_mb[0] < 600
    assert report.cpu_ms[0] > 0
