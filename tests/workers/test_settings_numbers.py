"""Numbers from the environment are read, or refused with a sentence that names the setting."""

import pytest

from workers.addresses import BadSetting
from workers.settings_numbers import share, whole_number


@pytest.mark.parametrize("text", ["x", "-1", "1.5", "21", "9" * 5000, "0" * 20 + "99", "²", "1 0"])
def test_what_is_no_whole_number_of_the_range_is_refused(text: str) -> None:
    with pytest.raises(BadSetting, match="PROXIES must be a whole number from 0 to 20, not '"):
        whole_number({"PROXIES": text}, "PROXIES", 1, 20, least=0)


def test_a_whole_number_may_be_the_least_of_its_range_or_missing() -> None:
    assert whole_number({"PROXIES": "0"}, "PROXIES", 1, 20, least=0) == 0
    assert whole_number({"PROXIES": ""}, "PROXIES", 1, 20) == 1


@pytest.mark.parametrize("text", ["x", "-0.1", "1.01", "nan", "inf", "2 %"])
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(BadSetting, match=r"SPOT_CHECKS must be a number from 0 to 1, such as 0\.02, not '"):
        share({"SPOT_CHECKS": text}, "SPOT_CHECKS", 0.02)


def test_a_share_may_be_nothing_or_all() -> None:
    assert [share({"SPOT_CHECKS": text}, "SPOT_CHECKS", 0.02) for text in ("0", "1", "", "0.5")] == [0, 1, 0.02, 0.5]
