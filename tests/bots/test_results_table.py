"""Results of matches at home, as a table."""

from bots.results_table import wilson


def test_wilsons_interval_holds_the_share_and_narrows() -> None:
    low, high = wilson(8, 10)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert wilson(0, 1)[0] == 0.0
    assert wilson(80, 100)[1] - wilson(80, 100)[0] < high - low
