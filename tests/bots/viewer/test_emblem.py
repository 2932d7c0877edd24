"""Emblems: always the same for a name, told apart without colours, small, and whole whatever a name holds."""

from itertools import combinations
from xml.etree import ElementTree as ET

import pytest

from bots.viewer.emblem import COLOURS, CONTRAST, contrast, emblem_of, emblem_svg, luminance

NAMES = [f"{word} {number}" for word in ("bot", "Orchid", "機械") for number in range(2000)]
ORCHID = (0, "#f6c6d0", "#6a1239", (".    .", "      ", "##  ##", "#.##.#", "..  ..", ".####."))
HOSTILE = ["", "<script>alert(1)</script>", "\"'&><", "]]>", "\ud800", "\x00\x1b", "\u202eevil", "a" * 10_000]


def test_a_name_has_one_emblem_for_ever() -> None:
    emblem = emblem_of("Orchid")
    assert (emblem.tile, emblem.ground, emblem.figure) == ORCHID[:3]
    assert emblem.rows == ORCHID[3]
    assert emblem_of("Orchid", "#000000 #ffffff") == emblem._replace(ground="#000000", figure="#ffffff")


def test_thousands_of_names_differ_in_grey_and_each_emblem_is_alike_on_both_sides() -> None:
    drawn = [emblem_of(name) for name in NAMES]
    assert len({(emblem.tile, emblem.rows) for emblem in drawn}) == len(NAMES)
    assert all(row == row[::-1] for emblem in drawn for row in emblem.rows)


@pytest.mark.parametrize("colours", COLOURS)
def test_the_tones_of_a_names_own_colours_differ_in_grey(colours: str) -> None:
    first, second = colours.split()
    assert contrast(first, second) >= CONTRAST
    tones = [luminance(first) ** 0.5, luminance(second) ** 0.5]
    tones.append(sum(tones) / 2)
    assert min(abs(tone - other) for tone, other in combinations(tones, 2)) > 0.1


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_of_a_hostile_name_is_in_its_emblem(name: str) -> None:
    svg = emblem_svg(emblem_of(name), 'xmlns="http://www.w3.org/2000/svg"')
    assert {part.tag.partition("}")[2] for part in ET.fromstring(svg).iter()} == {"svg", "path"}  # noqa: S314 - drawn by us
    assert svg.isascii()


def test_an_emblem_takes_less_than_a_kilobyte() -> None:
    sizes = [len(emblem_svg(emblem_of(name), 'class="emblem" aria-hidden="true"')) for name in NAMES]
    assert max(sizes) < 1000
    assert sum(sizes) / len(sizes) < 400
