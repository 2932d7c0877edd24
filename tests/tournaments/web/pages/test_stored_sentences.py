"""Sentences that were stored in English are found again, and nothing else is taken for one."""

import ast

from django.test import Client
from django.utils.translation import override

from engine.sentences import Sentence
from tests.factories import a_user
from tests.tournaments.web.pages.conftest import World, signed_in
from tests.tournaments.web.pages.sentences import SITE, modules, stored_before
from tests.tournaments.web.pages.told import Function, Source, name_of, source_of
from tournaments.audit import check_log
from tournaments.audit.log import log_lines
from tournaments.core.notices import triggers
from tournaments.core.notices.create import notify
from tournaments.ledger import acts
from tournaments.models import Act, Bot, Notice
from tournaments.templatetags.sentences import kept_value, stored
from tournaments.web.pages.sentences import in_page_language
from tournaments.web.pages.stored_sentences import LETTERS, Template, found_again

SHOW = {"accounts", "formats", "pages", "pages.py"}  # what they say is shown at once, and never stored


def made_sentences() -> set[str]:
    """Sentences that are made where they may be stored."""
    storing = [path for path in modules() if not SHOW & {*path.relative_to(SITE).parts}]
    paths = [*storing, *sorted((SITE.parent / "bots" / "doctor").rglob("*.py"))]
    calls = [(source, *call) for source in map(source_of, paths) for call in source.every_call()]
    return {sentence for source, function, call in calls for sentence in given(source, function, call)}


def given(source: Source, function: Function, call: ast.Call) -> set[str]:
    is_made = name_of(call.func) == "Sentence" and call.args
    return (
        {sentence for sentence in source.strings(call.args[0], function) if Template.of(sentence).letters}
        if is_made
        else set()
    )


def test_every_sentence_that_is_stored_is_found_again_and_says_the_same() -> None:
    """Also those that are said in other words since the last release: their German stays in django.po."""
    sentences = made_sentences() | set(stored_before())
    assert len(sentences) > 300
    for template in map(Template.of, sentences):
        filled = {name: f"Orchid {number}" for number, name in enumerate(template.names)}
        text = Sentence(template.sentence, **filled)
        restored = found_again(str(text), min(template.letters, LETTERS))
        assert restored == text, template
        with override("de"):
            assert in_page_language(restored) == in_page_language(text)


def test_a_sentence_in_a_sentence_is_found_too() -> None:
    text = "The final run for the border after place 3 played all 1 set that it was allowed."
    restored = found_again(f"Orchid was near a border of Arena. {text}")
    with override("de"):
        assert restored
        assert in_page_language(restored) == (
            "Orchid war nahe einer Grenze von Arena. "
            "Der Schlusslauf um die Grenze hinter Platz 3 hat alles gespielt, was ihm erlaubt war (1 Satz)."
        )


def test_what_two_sentences_explain_or_one_in_two_ways_stays_as_it_is() -> None:
    both = "Rook was disqualified in all ladders: a cheat. Orchid v1 passed its check."
    twice = "Rook went up from rank 9 to rank 1 in Arena went up from rank 3 to rank 2 in Arena."
    assert (found_again(both), found_again(twice)) == (None, None)


def test_the_special_one_of_two_counts_and_what_was_typed_may_hold_anything() -> None:
    restored = found_again("Orchid was disqualified in all ladders: rule 3: no doubles, in all ladders: none.")
    assert restored
    assert restored.sentence == "%(bot)s was disqualified in all ladders: %(reason)s"
    assert dict(restored.filled) == {"bot": "Orchid", "reason": "rule 3: no doubles, in all ladders: none."}


def test_a_name_is_neither_translated_nor_obeyed() -> None:
    with override("de"):
        assert (
            stored("<b>No set is under way.</b> has begun.") == "&lt;b&gt;No set is under way.&lt;/b&gt; hat begonnen."
        )
        assert stored("%(bot)s 100%s passed its check.") == "%(bot)s 100%s hat die Prüfung bestanden."


def test_what_is_not_found_is_marked_as_english_but_on_english_pages() -> None:
    odd = "KeyError: <script>"
    with override("de"):
        assert stored(odd) == '<span lang="en">KeyError: &lt;script&gt;</span>'
        assert stored("") == ""
    with override("en-gb"):
        assert stored(odd) == "KeyError: &lt;script&gt;"


def test_what_people_typed_into_a_setting_stays_as_it_is() -> None:
    with override("de"):
        assert kept_value("open", "title") == "open"
        assert kept_value("open", "account") == "offen"
        assert kept_value("No set is under way.", "description") == "No set is under way."
        assert kept_value("the text of SHA-256 ab12", "text") == "der Text mit SHA-256 ab12"


def german(path: str, client: Client | None = None) -> str:
    return (client or Client()).get(path, headers={"Accept-Language": "de"}).content.decode()


def test_the_log_is_told_in_german_and_kept_in_english(pages_world: World) -> None:
    reason = "No set is under way."  # one of our sentences, but typed
    act = acts.Freeze(pages_world.ladder).do(by=a_user(staff=True), reason=reason)
    page, kept = german("/audit/"), Act.objects.get(pk=act.pk).detail
    assert "bots play on, each with the version it has now." in kept["says"][0]
    assert "Bots spielen weiter, jeder mit der Version, die er jetzt hat." in page
    assert f"{act.number}. Einfrieren: Rangliste {pages_world.ladder.slug}" in page
    assert f"<p>{reason}</p>" in page
    assert check_log(log_lines()).number == Act.objects.count()


def test_notices_are_told_in_german_and_posted_in_english(pages_world: World) -> None:
    Notice.objects.all().delete()
    Bot.objects.filter(pk=pages_world.bot.pk).update(name="A & passed its check. B")
    triggers.notify_of_check(pages_world.bot.versions.get().pk)
    notify([pages_world.owner], Notice.Kind.EVENT, "key", "Something that no release says any more.", "/")
    assert "A & passed its check. B v1 passed its check." in Notice.objects.values_list("text", flat=True)
    page = german("/notices/", signed_in(pages_world.owner))
    assert "A &amp; passed its check. B v1 hat die Prüfung bestanden." in page
    assert '<span lang="en">Something that no release says any more.</span>' in page
