"""What the environments render: the public position in a sentence or two, as text."""

from typing import Final

from bots.environments.course import Course
from bots.environments.encoding import EnvironmentRefused
from bots.viewer.boards import NOBODY, board_of

RENDER_MODES: Final = ("ansi",)


def checked_mode(render_mode: str | None) -> str | None:
    """Return the mode. Raises EnvironmentRefused for one that there is not."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise EnvironmentRefused("bad_render_mode", f'render_mode must be "ansi" or None, not {render_mode!r}')
    return render_mode


def rendered(course: Course, render_mode: str | None) -> str | None:
    """Return the position in words, or None without a mode."""
    if render_mode is None:
        return None
    names = [f"seat_{seat}" for seat in range(course.encoding.options.players)]
    return board_of(course.encoding.game.name).draw(course.match.at, names, NOBODY).says
