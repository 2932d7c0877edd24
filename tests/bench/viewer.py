"""The viewer of replays: a match of 12,000 events until its first picture, and how smoothly it can be dragged along."""

import shutil
import statistics
import time
from collections.abc import Callable

from playwright.sync_api import Page, sync_playwright

from engine.game import Options
from engine.games import GAMES
from engine.replay import Replay, advance, log, playback, write_replay
from tests.bench import Row
from tests.bench.engine import recorded
from tests.bench.pages import weight
from tests.factories import a_completed_set, a_ladder, a_version
from tests.ground import rows_of
from tests.tournaments.web.server.stand import Stand, a_stand
from tournaments.models import MatchSet, Result

EVENTS = 12_000
ROUNDS, STEPS = 5, 100
FIRST_S, HEAVY, FRAME_MS, WORST_MS = 0.6, 150_000, 16.7, 20.0
CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
# Until the picture is in the page, as the browser itself counts from the click.
FIRST = """() => new Promise((done) => {
  const seen = () => document.querySelector("svg.picture") && requestAnimationFrame(() => done(performance.now()));
  const watch = new MutationObserver(() => seen() && watch.disconnect());
  if (!seen()) watch.observe(document, { childList: true, subtree: true });
})"""
# Drag through the moments that are here already, forth and back, each drawn before the next.
SCRUB = """async (steps) => {
  const film = document.querySelector("replay-film"), times = [];
  await film.film.piece(0);
  for (let step = 0; step < steps; step += 1) {
    const began = performance.now();
    await film.go((step * 37) % 99, { aloud: false });
    document.body.getBoundingClientRect();
    times.push(performance.now() - began);
  }
  return times;
}"""


def run() -> list[Row]:
    return rows_of(__name__)


def measure() -> list[Row]:
    replay = long_replay()
    path = f"/matches/{match_of(replay)}/"
    with a_stand() as stand:
        return [*first_picture(stand, path, replay), *scrubbing(stand, path), weighed(stand, path)]


def long_replay() -> Replay:
    """The first of some drawn games that is long enough."""
    game = GAMES["gigabucks"]
    options: Options = game.read_options({"players": 8, "currency": 5_000})
    replays = (recorded(game, options, f"viewer {number}") for number in range(20))
    return next(replay for replay in replays if len(log(replay)) >= EVENTS)


def match_of(replay: Replay) -> int:
    """It in the place of a match that was played."""
    played = a_completed_set(a_ladder("long"), [a_version() for _ in range(3)])
    match = played.matches.earliest("pk").pk
    MatchSet.objects.filter(pk=played.pk).update(game=replay.game)
    Result.objects.filter(match=match).update(replay=write_replay(replay), digest=replay.digest)
    return match


def first_picture(stand: Stand, path: str, replay: Replay) -> list[Row]:
    fresh = seconds(lambda number: stand.ask(f"{path}?at={1000 + number}"))
    floor = seconds(lambda _: played(replay))
    seen = statistics.median(in_browser(stand, lambda page: shown(page, stand, path)))
    how = f"a match of {len(log(replay))} events and {len(replay.answers)} answers, median of {ROUNDS}"
    name = "replay, first picture"
    return [
        Row(f"{name} in Chromium", seen, "s", "aimed at", FIRST_S, seen / FIRST_S, "<= 1", how),
        Row(f"{name}, its page", fresh, "s", "played by the engine alone", floor, fresh / floor, "", how),
    ]


def played(replay: Replay) -> None:
    run = playback(replay)
    while not run.match.over:
        advance(replay, run)


def seconds(work: Callable[[int], object]) -> float:
    def once(number: int) -> float:
        began = time.perf_counter()
        work(number)
        return time.perf_counter() - began

    return statistics.median(once(number) for number in range(ROUNDS))


def in_browser(stand: Stand, work: Callable[[Page], list[float]]) -> list[float]:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=CHROMIUM)
        try:
            return work(chromium.new_page())
        finally:
            chromium.close()


def shown(page: Page, stand: Stand, path: str) -> list[float]:
    """Seconds, each time of another moment, so that nothing is kept, and after all that the page before fetched."""

    def once(number: int) -> float:
        page.goto(f"http://127.0.0.1:{stand.port}{path}?at={2000 + number}", wait_until="commit")
        seen = float(page.evaluate(FIRST)) / 1000
        page.wait_for_load_state("networkidle")
        return seen

    return [once(number) for number in range(ROUNDS)]


def scrubbing(stand: Stand, path: str) -> list[Row]:
    def drag(page: Page) -> list[float]:
        page.goto(f"http://127.0.0.1:{stand.port}{path}", wait_until="networkidle")
        page.evaluate("document.querySelector('replay-film').ready")
        return [float(took) for took in page.evaluate(SCRUB, STEPS)]

    times = in_browser(stand, drag)
    middle, worst = statistics.median(times), statistics.quantiles(times, n=20)[18]
    how = f"{STEPS} jumps within a piece, each put together, swapped in and laid out, in a Chromium without a GPU"
    name = "replay, a frame while scrubbing"
    return [
        Row(name, middle, "ms", "a frame of 60 in a second", FRAME_MS, middle / FRAME_MS, "<= 1", how),
        Row(f"{name}, p95", worst, "ms", "aimed at", WORST_MS, worst / WORST_MS, "<= 1", how),
    ]


def weighed(stand: Stand, path: str) -> Row:
    row = weight(stand, "replay", path)
    total = row.ours * 1000
    return Row(row.name, row.ours, "kB", "aimed at", HEAVY / 1000, total / HEAVY, "<= 1", row.how)
