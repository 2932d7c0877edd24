"""Which site a command works on: the one that --data or the environment names, and never a guess.

`up` notes the folders that it uses beside the installed packages, so that a command can name the sites that run.
"""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from tournaments.core.config.service_urls import database
from tournaments.ops.launcher.data_dir import Data
from tournaments.ops.launcher.embedded_server import ServerError
from tournaments.ops.launcher.up_options import DEFAULT
from workers.addresses import site_address

SITES = Path(sys.prefix) / "sites"  # links to data folders
MOST = 10  # sites that a sentence names
BOTH_NEEDED = "Without --data both DATABASE_URL and REDIS_URL must be set"
MAKES_ONE = "restore"  # which fills a new folder, and refuses a database with anything in it


class NoSiteError(ServerError):
    """It is not clear which site is meant, or there is none; the message says what to do."""


def note_site(data: Data) -> None:
    """Note the address and the database in the folder, and the folder here. Forget folders that are gone."""
    url = os.environ["DATABASE_URL"]
    data.remember(site_address(os.environ["SITE_URL"]), "" if url == data.own_database() else database_label(url))
    with suppress(OSError):  # the packages cannot be written to, as in an image
        SITES.mkdir(exist_ok=True)
        for link in SITES.iterdir():
            if not link.exists():
                link.unlink(missing_ok=True)
        link = SITES / sha256(os.fsencode(data.folder)).hexdigest()[:16]
        with suppress(FileExistsError):
            link.symlink_to(data.folder)


def running_sites() -> list[Data]:
    with suppress(OSError):
        sites = sorted({link.readlink() for link in SITES.iterdir()})
        return [data for data in map(Data, sites) if data.user().startswith("manage.py up")]
    return []


def site_of(command: str, named: Path | None, environment: Mapping[str, str]) -> Data | None:
    """Return the folder that a command on data works in; None if the environment names both servers.

    Raises NoSiteError, and ServerError for what cannot be a data folder.
    """
    if named is None and environment.get("DATABASE_URL") and environment.get("REDIS_URL"):
        return None
    data = Data(named or DEFAULT)
    data.check()
    if data.user().startswith("manage.py up"):
        refuse_other_database(data, environment)
        return data
    if named is None and (sites := running_sites()):
        state = "a site that does not run" if data.has_site(environment) else "no site"
        half = f" {BOTH_NEEDED}." if only_one(environment) else ""
        raise NoSiteError(f"There is {state} in {data.folder}.{half} {sites_text(sites)}")
    if command != MAKES_ONE:
        if not data.has_site(environment):
            raise NoSiteError(no_site(data, environment))
        refuse_other_database(data, environment)
    return data


def no_site(data: Data, environment: Mapping[str, str]) -> str:
    sentence = f"There is no site in {data.folder}. `python3 manage.py up --data {data.folder}` makes one"
    if only_one(environment):
        sentence += f". {BOTH_NEEDED}"
    sites = running_sites()
    return f"{sentence}. {sites_text(sites)}" if sites else f"{sentence}; --data names the folder of another site."


def only_one(environment: Mapping[str, str]) -> bool:
    """Whether one of the two servers is named and the other is not; a database's address is checked then."""
    if given := environment.get("DATABASE_URL"):
        database_label(given)
    return bool(given) != bool(environment.get("REDIS_URL"))


def sites_text(sites: list[Data]) -> str:
    lines = [f"    --data {data.folder}    {data.memory().get('address', '')}".rstrip() for data in sites[:MOST]]
    return "\n".join(["Name the site that is meant. Running are:", *lines])


def refuse_other_database(data: Data, environment: Mapping[str, str]) -> None:
    """Refuse an environment that names another database than the site in the folder uses. Raises NoSiteError."""
    given = environment.get("DATABASE_URL", "")
    noted = data.memory().get("database", "" if data.postgres.cluster.exists() else None)
    if noted is None or (label := database_label(given)) == noted or (given and given == data.own_database()):
        return
    uses = f"uses the database {noted}" if noted else "uses its own database"
    names = f"DATABASE_URL names {label}" if given else "DATABASE_URL is not set"
    raise NoSiteError(f"The site in {data.folder} {uses}, and {names}. Set or unset DATABASE_URL as for its `up`.")


def database_label(url: str) -> str:
    """Return the name and the server of a database, without user and password. Raises NoSiteError."""
    if not url:
        return ""
    try:
        settings = database(url)
    except ValueError as problem:
        raise NoSiteError(str(problem)) from None
    port = f":{settings['PORT']}" if settings["PORT"] else ""
    return f"{settings['NAME']} on {settings['HOST'] or 'this machine'}{port}"


def named_database(data: Data | None, environment: Mapping[str, str]) -> str:
    """Return what the first line of a command's output says."""
    url = environment["DATABASE_URL"]
    if data and url == data.own_database():
        return f"Database: the one in {data.folder}"
    return f"Database: {database_label(url)} (DATABASE_URL)"
