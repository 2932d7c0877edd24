"""The pages of guided first games: the list of them, and each step."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe

from bots.viewer.first_games import Lesson, Scene, fill_text, first_game_of, lessons, recording_of, scene_of, told
from engine.games import GAMES
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.sentences import say


def first_games(request: HttpRequest) -> HttpResponse:
    listed = [(GAMES[lesson.game].title, lesson, fill_text(lesson.opening, {})) for lesson in lessons()]
    return render(request, "guided/list.html", {"lessons": listed})


def first_game_step(request: HttpRequest, game: str, step: int) -> HttpResponse:
    """Show the decision of that number, from 1, or the end. `?choice=`: what is chosen there, from 1; if it is what the
    recorded game goes on with, the next step."""
    lesson = first_game_of(game)
    if not lesson or not 0 < step <= len(lesson.decisions) + 1:
        raise Http404(say("There is no such step of a guided first game."))
    decision = told(game, step - 1) if step <= len(lesson.decisions) else None
    chosen = (whole(request.GET.get("choice")) or 0) - 1
    if decision and chosen == decision.right:
        return redirect("learn-step", game, step + 1)
    before = told(game, step - 2) if step > 1 else None
    return render(
        request,
        "guided/step.html",
        {
            "game": GAMES[game],
            "lesson": lesson,
            "opening": fill_text(lesson.opening, {}) if step == 1 else "",
            "closing": "" if decision else fill_text(lesson.closing, {}),
            "step": step,
            "last": len(lesson.decisions),
            "scene": (scene := scene_at(lesson, step)),
            "picture": mark_safe(scene.picture),  # noqa: S308 - drawn by us of a recording of ours
            "decision": decision,
            "chosen": chosen + 1,
            "why_not": decision.choices[chosen][1] if decision and 0 <= chosen < len(decision.choices) else "",
            "came": before.choices[before.right] if before else None,
        },
    )


def scene_at(lesson: Lesson, step: int) -> Scene:
    """Return the board of a step; at the end, that of the end of the recorded game."""
    moments = [0, *(decision.at for decision in lesson.decisions), len(recording_of(lesson.game).answers)]
    return scene_of(lesson.game, moments[step - 1], moments[step])
