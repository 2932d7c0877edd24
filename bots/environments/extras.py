"""What the environments are made with: none of it comes with the kit itself, and its absence is told in a sentence."""

import sys
from typing import Final

from bots.environments.encoding import EnvironmentRefused

# As pyproject.toml has them.
EXTRAS: Final = {
    "pettingzoo": ("numpy>=2", "pettingzoo>=1.25,<2"),
    "gymnasium": ("numpy>=2", "gymnasium>=1.1,<2"),
    "openspiel": ("numpy>=2", "open-spiel>=1.6,<3"),
}


def missing(extra: str, error: ImportError) -> EnvironmentRefused:
    """Return the error for a package of the extra that is not installed."""
    packages = " ".join(f"'{needed}'" for needed in EXTRAS[extra])
    how = f"{sys.executable} -m pip install {packages}"
    return EnvironmentRefused(
        "missing_extra",
        f"{error.name} is not installed. It comes with boardroom-kit[{extra}]; or install it with: {how}",
    )
