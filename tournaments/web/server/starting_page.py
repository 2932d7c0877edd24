"""The answer to every request while the site starts: 503, and when to come again."""

import json

from tournaments.core.errors import PROBLEM, problem

STATUS, LATER = 503, 2  # seconds
DETAIL = "The site is starting: its database is not ready yet. Ask again in a moment."
PAGE = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="{LATER}">
<title>Boardroom is starting</title>
<h1>Boardroom is starting</h1>
<p>Its database is not ready yet. This page loads again by itself.</p>
<p lang="de">Boardroom startet; die Datenbank ist noch nicht bereit. Diese Seite lädt sich von selbst neu.</p>
</html>
"""


def starting_answer(path: str) -> tuple[dict[str, str], bytes]:
    """Return headers and body: the API's shape of a refusal for programs, a page for people."""
    api = path.startswith("/api/")
    body = (json.dumps(problem("starting", DETAIL, STATUS)) if api else PAGE).encode()
    kind = PROBLEM if api else "text/html; charset=utf-8"
    fixed = {"retry-after": str(LATER), "cache-control": "no-store", "x-content-type-options": "nosniff"}
    return {"content-type": kind, "content-length": str(len(body)), **fixed}, body
