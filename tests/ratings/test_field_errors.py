"""The worlds of the claims, in small: each remedy does what it is there for."""

from statistics import fmean

from tests.ratings.claims.field_errors import Measured, of_margins, of_priors


def mean(measured: Measured, name: str) -> float:
    return fmean(measured.by_name[name])


def test_a_prior_as_wide_as_the_field_mends_wide_fields_and_leads_without_its_pull_make_ranks_sure() -> None:
    measured = of_priors(1, 2)
    for field in ("2,000 Elo", "2,000 Elo, duels"):
        assert mean(measured, f"{field}, now: error") < 0.8 * mean(measured, f"{field}, before: error")
        assert mean(measured, f"{field}, now: cover") >= mean(measured, f"{field}, before: cover")
        assert mean(measured, f"{field}, now: ranks held") > 0.9
    assert mean(measured, "2,000 Elo, now: provisional") < mean(measured, "2,000 Elo, before: provisional") / 2
    assert mean(measured, "2,000 Elo, now: places") < mean(measured, "2,000 Elo, before: places")


def test_the_scale_of_margins_mends_their_intervals() -> None:
    measured = of_margins(1, 2)
    for full in (1.1, 2.2):
        assert mean(measured, f"margins, full at {full}, now: cover") > 0.88
        assert mean(measured, f"margins, full at {full}, now: error") < 1.2 * mean(measured, "places: error")
    assert mean(measured, "margins, full at 2.2, before: cover") < 0.7
