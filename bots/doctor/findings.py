"""What was seen, judged: a sentence for each thing a site would mind, with the first example."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from bots.doctor.examination import MOST_GONE, Budget, Repetition, asked_in, cpu_s_of, gone_in
from bots.doctor.imported import BESIDES, Imported
from bots.doctor.session import Asked, Sitting
from bots.languages import LANGUAGES
from bots.protocol import Clock
from engine.records import Record
from engine.sentences import Sentence

Status = Literal["ok", "warning", "failure"]
PERCENTILES = (50, 90, 99, 100)
MEMORY_MB = 512  # by default
NEAR = 0.5  # of a limit: from here on it is worth a word
TITLES = {
    "asked": Sentence("asked"),
    "imports": Sentence("imports"),
    "start": Sentence("start"),
    "answers": Sentence("answers"),
    "after_a_fault": Sentence("after a fault"),
    "time": Sentence("time"),
    "match_time": Sentence("match time"),
    "waiting": Sentence("waiting time"),
    "memory": Sentence("memory"),
    "end": Sentence("end"),
    "repeatable": Sentence("repeatable"),
}
SHOWN: dict[Status, str] = {"ok": "ok", "warning": "warning", "failure": "FAILS"}


@dataclass(slots=True)
class Finding(Record):
    """`about` is stable, for programs; `text` is for people."""

    about: str
    status: Status
    text: str
    numbers: dict[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return TITLES.get(self.about, self.about)  # of another release


def findings(
    sittings: Sequence[Sitting],
    clock: Clock,
    budget: Budget,
    imported: Imported,
    repetition: Repetition | None,
) -> list[Finding]:
    """Return the card of a bot that was asked within this budget."""
    asked = [question for sitting in sittings for question in sitting.asked]
    return [
        extent(sittings, budget),
        imports(imported),
        start(sittings, clock),
        answers(asked),
        replaced(asked),
        time_of(asked, clock),
        bank(sittings, clock),
        memory(sittings),
        ending_of(sittings),
        *([repeatable(repetition)] if repetition else []),
    ]


def findings_of_one_match(sittings: Sequence[Sitting], clock: Clock) -> list[Finding]:
    """The same of a match that a site has recorded, a sitting for each seat, where no more than this was kept."""
    asked = [question for sitting in sittings for question in sitting.asked]
    seen = [start(sittings, clock), answers(asked), time_of(asked, clock), bank(sittings, clock)]
    return [*seen, memory(sittings)] if all(sitting.memory_mb for sitting in sittings) else seen


def extent(sittings: Sequence[Sitting], budget: Budget) -> Finding:
    """Return what was asked, and what was left out."""
    asked, gone = asked_in(sittings), gone_in(sittings)
    cut = sum(sitting.is_cut for sitting in sittings)
    numbers = {"questions": asked, "wanted": budget.questions, "matches": len(sittings), "cut": cut}
    matches = Sentence("1 match" if len(sittings) == 1 else "%(matches)s matches", matches=f"{len(sittings):,}")
    counts = {"asked": f"{asked:,}", "matches_said": matches, "wanted": f"{budget.questions:,}"}
    if asked >= budget.questions:
        text = Sentence("%(asked)s questions in %(matches_said)s, of %(wanted)s wanted", **counts)
        return Finding("asked", "ok", text, numbers)
    if gone >= MOST_GONE:
        ends = "%(asked)s questions in %(matches_said)s, of %(wanted)s: it was gone before the end of %(gone)s matches"
        return Finding("asked", "warning", Sentence(ends, **counts, gone=gone), numbers)
    return Finding("asked", "warning", _cut_short(sittings, budget, counts), numbers)


def _cut_short(sittings: Sequence[Sitting], budget: Budget, counts: Mapping[str, str]) -> Sentence:
    if cpu_s_of(sittings) >= budget.cpu_s:
        sentence = (
            "%(asked)s questions in %(matches_said)s, of %(wanted)s: more did not fit into %(limit)s s of CPU time"
        )
        return Sentence(sentence, **counts, limit=f"{budget.cpu_s:g}")
    sentence = "%(asked)s questions in %(matches_said)s, of %(wanted)s: more did not fit into %(limit)s s"
    return Sentence(sentence, **counts, limit=f"{budget.wall_s:g}")


def start(sittings: Sequence[Sitting], clock: Clock) -> Finding:
    if faults := [sitting.start_fault for sitting in sittings if sitting.start_fault]:
        sentence = "%(number)s of %(starts)s starts failed, the first: %(fault)s"
        failed = Sentence(sentence, number=len(faults), starts=len(sittings), fault=faults[0])
        return Finding("start", "failure", failed)
    spent = percentiles([sitting.start_ms for sitting in sittings if sitting.start_ms is not None])
    if not spent:
        return Finding("start", "ok", Sentence("%(starts)s starts", starts=len(sittings)))
    text = Sentence(
        "%(starts)s starts, %(usual)s ms of CPU time usually and %(most)s at most; %(limit)s are allowed",
        starts=len(sittings),
        usual=f"{spent['p50']:.0f}",
        most=f"{spent['p100']:.0f}",
        limit=clock.start_ms,
    )
    return Finding("start", level(spent["p100"], clock.start_ms), text, spent)


def answers(asked: Sequence[Asked]) -> Finding:
    kinds = Counter(question.kind for question in asked)
    numbers: dict[str, Any] = {"questions": len(asked), "kinds": dict(kinds.most_common())}
    faults = [question for question in asked if question.fault]
    if not asked:
        return Finding("answers", "failure", Sentence("it was asked nothing"), numbers)
    if not faults:
        listed = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
        text = Sentence("%(number)s questions, all answered legally (%(kinds)s)", number=len(asked), kinds=listed)
        return Finding("answers", "ok", text, numbers)
    numbers["faults"] = dict(Counter(question.fault for question in faults))
    first = faults[0]
    text = Sentence(
        "1 of %(answers)s answers is a fault, to a %(kind)s: %(verdict)s: %(detail)s"
        if len(faults) == 1
        else "%(number)s of %(answers)s answers are faults, the first to a %(kind)s: %(verdict)s: %(detail)s",
        number=len(faults),
        answers=len(asked),
        kind=first.kind,
        verdict=first.fault,
        detail=first.detail,
    )
    return Finding("answers", "failure", text, numbers)


def replaced(asked: Sequence[Asked]) -> Finding:
    """Return how the bot goes on after a fault, when the default is played: one that counts on its own answers goes
    wrong."""
    after, before = [[question for question in asked if question.after_replaced is so] for so in (True, False)]
    wrong, usual = [sum(bool(question.fault) for question in part) / max(1, len(part)) for part in (after, before)]
    numbers = {"questions": len(after), "faults": sum(bool(question.fault) for question in after)}
    if wrong <= 2 * usual:
        sentence = "%(number)s questions after another answer had been taken in its place; it goes on as before"
        return Finding("after_a_fault", "ok", Sentence(sentence, number=len(after)), numbers)
    text = Sentence(
        "after another answer was taken in its place, %(wrong)s of its answers are faults, else %(usual)s; "
        "read the view, not what you answered",
        wrong=f"{wrong:.1%}",
        usual=f"{usual:.1%}",
    )
    return Finding("after_a_fault", "failure", text, numbers)


def time_of(asked: Sequence[Asked], clock: Clock) -> Finding:
    spent = percentiles([question.ms for question in asked if not question.fault])
    if not spent:
        return Finding("time", "failure", Sentence("nothing was answered"))
    text = Sentence(
        "milliseconds of CPU time for an answer: 50 %% within %(p50)s, 90 %% within %(p90)s, 99 %% within %(p99)s, "
        "100 %% within %(p100)s; %(limit)s are allowed",
        **{name: f"{value:.1f}" for name, value in spent.items()},
        limit=clock.answer_ms,
    )
    return Finding("time", level(spent["p100"], clock.answer_ms), text, spent)


def bank(sittings: Sequence[Sitting], clock: Clock) -> Finding:
    spent = percentiles([sum(question.ms for question in sitting.asked) for sitting in sittings])
    text = Sentence(
        "of a match at most %(most)s s of CPU time; %(limit)s are allowed",
        most=f"{round(spent['p100'] / 1000, 3):g}",
        limit=f"{clock.bank_ms / 1000:g}",
    )
    return Finding("match_time", level(spent["p100"], clock.bank_ms), text, spent)


def memory(sittings: Sequence[Sitting]) -> Finding:
    spent = percentiles([sitting.memory_mb for sitting in sittings])
    text = Sentence(
        "%(usual)s MB usually and %(most)s at most; %(limit)s are allowed by default",
        usual=f"{spent['p50']:.0f}",
        most=f"{spent['p100']:.0f}",
        limit=MEMORY_MB,
    )
    return Finding("memory", level(spent["p100"], MEMORY_MB), text, spent)


def ending_of(sittings: Sequence[Sitting]) -> Finding:
    left = [sitting for sitting in sittings if not sitting.is_gone and not sitting.is_cut]
    stayed = [sitting for sitting in left if sitting.end and sitting.end.signal]
    odd = [sitting for sitting in left if sitting.end and sitting.end.code]
    loud = max((sitting.stderr_bytes for sitting in sittings), default=0)
    if 2 * len(stayed) > len(sittings):  # on a busy machine one or the other is late
        return Finding(
            "end",
            "warning",
            Sentence(
                "after 1 match it did not exit and was killed"
                if len(stayed) == 1
                else "after %(matches)s matches it did not exit and was killed",
                matches=len(stayed),
            ),
        )
    if odd:
        return Finding(
            "end",
            "warning",
            Sentence(
                "after 1 match it exited with a code other than 0"
                if len(odd) == 1
                else "after %(matches)s matches it exited with a code other than 0",
                matches=len(odd),
            ),
        )
    text = Sentence("it exits after a match; at most %(loud)s bytes on stderr", loud=f"{loud:,}")
    return Finding("end", "ok", text, {"stderr": loud})


def repeatable(seen: Repetition) -> Finding:
    """It was told the same twice, so what it cannot know cannot make the difference."""
    numbers = {"questions": seen.again, "other_answers": seen.others}
    if not seen.others:
        text = Sentence("asked the same twice, it gave the same %(number)s answers", number=seen.again)
        return Finding("repeatable", "ok", text, numbers)
    text = Sentence(
        "asked the same twice, %(others)s of %(questions)s answers differ, the first to question %(first)s: "
        "it uses chance without a seed, or the time; a bot that plays the same way twice is easier to debug",
        others=seen.others,
        questions=seen.questions,
        first=seen.first,
    )
    return Finding("repeatable", "warning", text, numbers)


def imports(seen: Imported) -> Finding:
    """Return what a Python bot imports and a site does not have."""
    if seen.language not in BESIDES:
        return Finding(
            "imports",
            "ok",
            Sentence("a bot in %(language)s brings what it needs", language=LANGUAGES[seen.language].title),
        )
    if seen.broken:
        return Finding("imports", "failure", seen.broken)
    if missing := seen.missing:
        return Finding(
            "imports",
            "failure",
            Sentence(
                "a site does not have %(modules)s; it has the standard library, %(there)s",
                modules=", ".join(missing),
                there=", ".join(("engine", "bots.sdk", *BESIDES[seen.language])),
            ),
            {"missing": missing},
        )
    if seen.unread:
        return Finding("imports", "warning", seen.unread)
    return Finding("imports", "ok", Sentence("it imports nothing that a site does not have"))


def percentiles(values: Sequence[float]) -> dict[str, float]:
    ranked = sorted(values)
    return {f"p{part}": round(ranked[max(0, -(-len(ranked) * part // 100) - 1)], 3) for part in PERCENTILES if ranked}


def level(most: float, limit: float) -> Status:
    if most > limit:
        return "failure"
    return "warning" if most > NEAR * limit else "ok"
