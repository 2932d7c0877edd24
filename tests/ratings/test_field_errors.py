"""The worlds of the claims, in small: each remedy does what it is there for."""

from statistics import fmean

from tests.ratings.claims.field_errors import Measured, of_margins, of_priors


def mean(found: Measured, name: str) -> float:
    return fmean(found.by_name[name])


def test_a_prior_as_wide_as_the_field_mends_wide_fields_and_leads_without_its_pull_make_ranks_sure() -> None:
    found = of_priors(1, 2)
    for field in ("2,000 Elo", "2,000 Elo, duels"):
        assert mean(found, f"{field}, now: error") < 0.8 * mean(found, f"{field}, before: error")
        assert mean(found, f"{field}, now: cover") >= mean(found, f"{field}, before: cover")
        assert mean(found, f"{field}, now: ranks held") > 0.9
    assert mean(found, "2,000 Elo, now: provisional") < mean(found, "2,000 Elo, before: provisional") / 2
    assert mean(found, "2,000 Elo, now: places") < mean(found, "2,000 Elo, before: places")


def test_the_scale_of_margins_mends_their_intervals() -> None:
    found = of_margins(1, 2)
    for full in (1.1, 2.2):
        assert mean(found, f"margins, full at {full}, now: cover") > 0.88
        assert mean(found, f"margins, full at {full}, now: error") < 1.2 * mean(found, "places: error")
    assert mean(found, "margins, full at 2.2, before: cover") < 0.7
