"""The front page of a site without a ladder."""

import pytest
from django.test import Client, override_settings

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("coming", "said"), [(True, "has just started"), (False, "An organiser can create one")])
def test_it_says_what_comes(*, coming: bool, said: str) -> None:
    with override_settings(SAMPLES_COMING=coming):
        assert said in Client().get("/").content.decode()
