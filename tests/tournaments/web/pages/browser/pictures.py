"""Run as a program: the pictures of the docs, taken of a site that runs (`python3 manage.py up`), in its present look.

`python3 -m tests.tournaments.web.pages.browser.pictures http://127.0.0.1:8000` signs somebody up there, whose
draft fails its check.
"""

import shutil
import sys
from pathlib import Path
from secrets import token_hex
from urllib.parse import urljoin

from playwright.sync_api import Page, ViewportSize, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PICTURES = Path(__file__).parents[5] / "docs" / "pictures"
WINDOW: ViewportSize = {"width": 1280, "height": 800}
PATIENCE = 600_000  # ms: a check may wait for its turn


def match(page: Page) -> None:
    page.goto("/matches/")
    page.locator("tbody th a").first.click()
    page.wait_for_url("**/matches/*/")
    marks = page.locator("[data-marks] a[data-at]")
    moment = marks.nth(marks.count() * 2 // 3).get_attribute("href") or ""
    page.goto(urljoin(page.url, moment.split("#")[0]))
    page.evaluate("document.querySelector('replay-film').ready")


def live(page: Page) -> None:
    page.goto("/live/")
    page.locator(".picture:visible").first.wait_for()
    page.wait_for_timeout(5000)  # so that some of it is played


def ladder(page: Page) -> None:
    page.goto("/ladders/zaibatsu/")


def leagues(page: Page) -> None:
    page.goto("/leagues/")


def wall(page: Page) -> None:
    page.goto("/live/wall/")
    page.wait_for_timeout(3000)


def home(page: Page) -> None:
    page.goto("/")
    page.locator(".picture:visible").first.wait_for()
    page.wait_for_timeout(3000)


def learn(page: Page) -> None:
    page.goto("/learn/zaibatsu/3/")


def finale(page: Page) -> None:
    page.goto("/matches/")
    page.locator("tbody th a").first.click()
    page.wait_for_url("**/matches/*/")
    page.locator("#scrub").press("End")
    page.locator(".finale").wait_for()


def check(page: Page) -> None:
    page.goto("/")
    first = page.get_by_label("A complete bot").inner_text()
    page.get_by_role("link", name="Sign up").first.click()
    secret = token_hex(12)
    for field, typed in (("Name", f"nina{secret[:4]}"), ("Password", secret), ("Password, once more", secret)):
        page.get_by_label(field, exact=True).fill(typed)
    page.get_by_role("button", name="Sign up").click()
    page.goto("/editor/?game=zaibatsu")
    page.get_by_role("button", name="Start with this").first.click()
    page.get_by_label("Source").fill(first.replace("<= worth", "<= wrth"))
    page.get_by_role("button", name="Check in the sandbox").click()
    page.get_by_text("It ended at line").wait_for()


if __name__ == "__main__":
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for take in [globals()[name] for name in sys.argv[2:]] or (
            home,
            match,
            finale,
            live,
            ladder,
            leagues,
            learn,
            wall,
            check,
        ):
            page = chromium.new_page(base_url=sys.argv[1], viewport=WINDOW, color_scheme="light")
            page.set_default_timeout(PATIENCE)
            take(page)
            page.screenshot(path=PICTURES / f"{take.__name__}.png", full_page=take is check)
        chromium.close()
