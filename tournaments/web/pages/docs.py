"""The repository's docs as pages, those for competitors first."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from engine.games import GAMES, OUTSIDE
from engine.outside import VARIABLE, BadGame, Outside
from engine.sentences import Sentence
from tournaments.web.pages import markdown
from tournaments.web.pages.sentences import say

FOLDER: Final[Path] = settings.ROOT / "docs"
USUAL: Final = "http://127.0.0.1:8000"  # the address in the examples: pages have that of this site
TYPES = {
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".yml": "text/plain; charset=utf-8",
    ".ipynb": "application/x-ipynb+json",
    ".py": "text/plain; charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class Page:
    """`name`: its file in docs/, without the ending."""

    name: str
    about: str


@dataclass(frozen=True, slots=True)
class Part:
    title: str
    pages: Sequence[Page]


def rules_page_of(each: Outside) -> Path:
    """The page of a game from outside. Raises BadGame where it has none."""
    path = each.folder / "rules.md"
    if not path.is_file():
        raise BadGame(f"{VARIABLE}: {each.package} lacks rules.md, the page of its rules.")
    return path


FROM_OUTSIDE: Final = {f"games/{each.game.name}": rules_page_of(each) for each in OUTSIDE}
DECISIONS: Final = sorted((FOLDER / "decisions").glob("*.md"))
OF_DECISION: Final = "A decision: the context, what was decided, what follows."
MEASUREMENTS: Final = sorted((FOLDER / "measurements").glob("*.md"))
OF_MEASUREMENT: Final = "Measured: the figures, the machine, the command."
OF_GAMES: Final = "games/README"
OF_GAME: Final = "%(game)s: every rule, question and option."
PARTS: Final = (
    Part(
        "For competitors",
        (
            Page("write-a-bot", "Ten lines, and you play. From the first answer to looking ahead."),
            Page("kit", "One package for your own machine: new, play, series, check, submit."),
            Page("playing", "Unrated games: how a person plays, and how to continue a match from any moment."),
            Page("protocol", "What goes over the pipes, byte by byte: bots in any language."),
            Page("api", "Upload, enter, read standings and replays from a program."),
            Page("data", "All matches, ratings and replays of a ladder as files."),
            Page("environments", "The games for PettingZoo, Gymnasium and OpenSpiel, as tensors."),
            Page("ratings", "What Elo and ± mean, how the table is computed, and how to compute it yourself."),
            Page("events", "Tournaments: how to take part in one, and how to run one."),
            Page("formats", "Swiss, round robin, knock-outs and the others, to the last tie-break."),
            Page("watching", "The viewer: moments, perspectives, links, embedding, checking."),
            Page("notices", "E-mail, feeds and signed webhooks."),
            Page("accessibility", "The standard for keyboards, screen readers and small screens, and what is not met."),
            Page("deals", "Where the randomness comes from, and how to check that nobody chose it."),
            Page("deterministic", "Ladders where bots run in WebAssembly, the same on every machine."),
        ),
    ),
    Part(
        "The games",
        (
            Page(OF_GAMES, "Which game suits you, and what all games share."),
            *(Page(f"games/{game.name}", Sentence(OF_GAME, game=game.title)) for game in GAMES.values()),
        ),
    ),
    Part(
        "For organisers",
        (
            Page("teach", "A class in fifteen minutes: marks, deadlines, a gradebook."),
            Page("organising", "What to do when something happens, and how to undo it."),
            Page("spaces", "A class, a club or a company runs its own competition."),
        ),
    ),
    Part(
        "For operators",
        (
            Page("install", "On one machine, in containers, with workers on other hosts."),
            Page("serve", "A public site: its machine, settings, proxy, TLS, backup and upgrade."),
            Page("kubernetes", "In a cluster, without privilege, with as many workers as the work wants."),
            Page("sign-on", "Accounts of a university, company or club: configure it, and what its codes mean."),
            Page("run", "Health, metrics, logs, workers, queues, upgrades."),
            Page("recover", "What a message means, backup and restore, and the run in which everything fails."),
            Page("reference", "Every setting, command and metric."),
            Page("budgets", "How much anybody may take of what all share."),
            Page("performance", "How fast it is, and how to measure your machine."),
            Page("scaling", "What a site of a given size needs."),
            *(Page(f"measurements/{path.stem}", OF_MEASUREMENT) for path in MEASUREMENTS),
        ),
    ),
    Part(
        "For contributors",
        (
            Page("contributing", "Where things are, how tests are run, how a change goes in."),
            Page("architecture", "From an upload to a rating, in ten minutes."),
            Page("design", "Tokens and components of the pages, each once, in both themes."),
            Page("add-a-game", "A sixth game: rules, view, board and page, from outside."),
            Page("security", "What is protected, against whom, and how."),
            *(Page(f"decisions/{path.stem}", OF_DECISION) for path in DECISIONS),
        ),
    ),
)
INDEX: Final = "README"  # of all the docs: on the site, the page that lists them
MOVED: Final = {"operations": "run"}  # pages of earlier releases, and where the most of each is now
PAGES: Final = {page.name: page for part in PARTS for page in part.pages}


def docs(request: HttpRequest) -> HttpResponse:
    parts = [(part.title, [(read_doc(page.name), page, doc_url(page.name)) for page in part.pages]) for part in PARTS]
    return render(request, "docs.html", {"parts": parts})


def doc(request: HttpRequest, name: str) -> HttpResponse:
    if name in MOVED:
        return redirect("doc", MOVED[name], permanent=True)
    found = name if name in PAGES else f"{name}/README"
    if found not in PAGES or name.endswith("README"):
        raise Http404(say("There is no page “%(name)s” in the docs.", name=name))
    written, game = read_doc(found), found.removeprefix("games/")
    intro, end, rest = written.html.partition("</p>")
    context = {
        "page": PAGES[found],
        "written": written,
        "intro": intro + end,
        "rest": rest,
        "of_game": game if game in GAMES else "",
        "games": list(GAMES.values()) if found == OF_GAMES else [],
    }
    return render(request, "doc.html", context)


def doc_file(request: HttpRequest, name: str) -> HttpResponse:  # noqa: ARG001 - every view is given it
    """A picture or another file beside the pages."""
    path = doc_files().get(name)
    if path is None:
        raise Http404(say("There is no file “%(name)s” in the docs.", name=name))
    return HttpResponse(path.read_bytes(), content_type=TYPES[path.suffix])


def doc_files() -> dict[str, Path]:
    found = (path for path in FOLDER.rglob("*") if path.suffix in TYPES)
    return {path.relative_to(FOLDER).as_posix(): path for path in found}


def read_doc(name: str) -> markdown.Written:
    return _written(name, doc_source(name).stat().st_mtime_ns)


def doc_source(name: str) -> Path:
    return FROM_OUTSIDE.get(name, FOLDER / f"{name}.md")


@lru_cache(maxsize=2 * len(PAGES))
def _written(name: str, changed: int) -> markdown.Written:  # noqa: ARG001 - a page that changed is another page
    source = doc_source(name).read_text("utf-8").replace(USUAL, settings.SITE_URL)
    return markdown.render(source, partial(leads_to, PurePosixPath(name).parent))


def leads_to(folder: PurePosixPath, target: str) -> str:
    """The address here of what a page in that folder links to; empty for files that the site does not show."""
    parts = urlsplit(target)
    if parts.scheme or not parts.path:
        return target
    name = normpath(str(folder / parts.path))
    after = f"#{parts.fragment}" if parts.fragment else ""
    if name == f"{INDEX}.md":
        return reverse("docs")
    if name.removesuffix(".md") in PAGES:
        return doc_url(name.removesuffix(".md")) + after
    return reverse("doc-file", args=[name]) if name in doc_files() else ""


def doc_url(name: str) -> str:
    return reverse("doc", args=[name.removesuffix("/README")])
