"""The addresses of licence texts."""

from tournaments.models import Ladder

LICENCES = {
    Ladder.DataLicence.CC0: "https://creativecommons.org/publicdomain/zero/1.0/",
    Ladder.DataLicence.BY: "https://creativecommons.org/licenses/by/4.0/",
    Ladder.DataLicence.BY_SA: "https://creativecommons.org/licenses/by-sa/4.0/",
    Ladder.DataLicence.BY_NC: "https://creativecommons.org/licenses/by-nc/4.0/",
}
NAMES = {address: licence.value for licence, address in LICENCES.items()}
