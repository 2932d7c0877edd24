from hypothesis import given
from hypothesis import strategies as some

from tournaments.web.pages.rating_chart import EDGE, HEIGHT, LEFT, WIDTH, draw_rating_history

STEPS = some.lists(some.tuples(some.integers(1, 9), some.integers(-500_000, 4_000_000)), min_size=2, max_size=60)


@given(STEPS)
def test_every_point_lies_inside_the_picture_and_from_left_to_right(steps: list[tuple[int, int]]) -> None:
    chart = draw_rating_history(steps)
    assert chart is not None
    points = [tuple(map(float, point.split(","))) for point in chart.points.split()]
    assert len(points) == len(steps)
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert all(LEFT <= x <= WIDTH - EDGE and EDGE <= y <= HEIGHT - EDGE for x, y in points)
    assert points[-1] == chart.end


@given(STEPS)
def test_a_higher_rating_is_drawn_higher(steps: list[tuple[int, int]]) -> None:
    chart = draw_rating_history(steps)
    assert chart is not None
    heights = [float(point.split(",")[1]) for point in chart.points.split()]
    best = max(range(len(steps)), key=lambda number: steps[number][1])
    assert heights[best] == min(heights)


def test_there_is_no_line_of_one_point() -> None:
    assert draw_rating_history([]) is None
    assert draw_rating_history([(1, 1_500_000)]) is None


def test_a_change_of_version_is_marked_once_where_it_happened() -> None:
    chart = draw_rating_history([(1, 1_500_000), (1, 1_510_000), (2, 1_520_000), (2, 1_515_000)])
    assert chart is not None
    assert [mark.label for mark in chart.versions] == ["v2"]
    assert f"{chart.versions[0].at}," in chart.points
    assert chart.summary == "Over the last 4 sets from 1500 to 1515; at least 1500, at most 1520."
