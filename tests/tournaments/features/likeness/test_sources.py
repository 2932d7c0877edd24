"""Texts that are alike: copies are found whatever is done to their looks, and few others are."""

import random
from hashlib import sha256
from itertools import combinations

import pytest
from django.test import Client

from bots.contest import sample_files
from tests.factories import a_bot, a_ladder, a_user, a_version
from tests.renamed_copies import copied
from tests.tournaments.ops.launcher.processes import ROOT
from tournaments.features.likeness.sources import ALIKE, sources_alike
from tournaments.features.likeness.winnowing import fingerprints, share_in_common, source_tokens
from tournaments.models import Bundle, Ladder, User, Version

BOTS = sorted(
    path for room in ("games/*/samples", "games/*/rungs", "rungs") for path in (ROOT / "bots").glob(f"{room}/*.py")
)
OTHERS = sorted(path for room in ("bots", "engine") for path in (ROOT / room).rglob("*.py") if path not in BOTS)
TEXTS = [text for path in (*BOTS, *OTHERS) if 1500 < len(text := path.read_text()) < 15_000]


def test_copies_are_found_and_few_others_are() -> None:
    """Among 60 programs, of which all bots of ours are some."""
    chosen = [*TEXTS[: len(BOTS)], *random.Random("others").sample(TEXTS[len(BOTS) :], 60 - len(BOTS))]
    originals, copies = ([fingerprints(text, ".py") for text in texts] for texts in (chosen, map(copied, chosen)))
    shares = [share_in_common(original, copy) for original, copy in zip(originals, copies, strict=True)]
    assert sum(share is not None and share >= ALIKE for share in shares) >= 57
    pairs = [share_in_common(first, second) for first, second in combinations(originals, 2)]
    assert sum(share is not None and share >= ALIKE for share in pairs) <= len(pairs) / 100


def test_names_numbers_texts_comments_and_layout_make_no_difference() -> None:
    source = 'def price(self, good):  # a comment\n    """Words."""\n    return (self.base + 2 * good.cost)\n'
    rewritten = "def p(x,\n y,):\n    return x.b+17*y.c"
    assert [*source_tokens(source, ".py")] == [*source_tokens(rewritten, ".py")]
    assert [*source_tokens("int a = 1; // one\n/* two */ f(a);", ".c")] == [
        *source_tokens("int bee=22;\ng (bee) ;", ".c")
    ]
    assert [*source_tokens("a // 2", ".py")] != [*source_tokens("a", ".py")]


@pytest.mark.parametrize("text", ["", "'" * 5000, "(" * 100_000, "\0\ud800", "/*" * 50_000, '"""' + "\\" * 9999])
@pytest.mark.parametrize("ending", [".py", ".js"])
def test_any_text_is_read(text: str, ending: str) -> None:
    assert share_in_common(fingerprints(text, ending), fingerprints("a = 1", ending)) is None


@pytest.fixture
def ladder(db: None) -> Ladder:
    return a_ladder()


def plays(ladder: Ladder, text: str, owner: User | None = None) -> Version:
    version = a_version(a_bot(owner))
    bundle = Bundle.objects.create(sha256=sha256(text.encode()).hexdigest(), content=text.encode(), size=len(text))
    Version.objects.filter(pk=version.pk).update(bundle=bundle, filename="bot.py")
    ladder.entries.create(bot=version.bot)
    return version


def test_of_two_people_the_pair_is_listed_and_of_one_it_is_not(ladder: Ladder) -> None:
    text = (ROOT / "bots" / "rungs" / "tree.py").read_text()
    owner = a_user()
    first, second = plays(ladder, text, owner), plays(ladder, text + "\n\n# again", owner)
    copy = plays(ladder, copied(text))
    report = sources_alike(ladder)
    assert {(pair.one, pair.other) for pair in report.pairs} == {(copy, first), (copy, second)}
    assert (report.compared, report.untold, report.is_whole) == (3, [], True)
    client = Client()
    client.force_login(a_user(staff=True))
    page = client.get(f"/desk/ladders/{ladder.slug}/sources/").content.decode()
    assert str(copy) in page
    assert f"{report.pairs[0].percent} %" in page


def test_what_comes_from_a_sample_does_not_count(ladder: Ladder) -> None:
    sample = sample_files(ladder.game)["marginal"].read_text()
    both = {plays(ladder, f"{sample}\n# {comment}") for comment in ("one", "another")}
    report = sources_alike(ladder)
    assert (report.pairs, {*report.untold}) == ([], both)
