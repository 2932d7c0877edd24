"""The words of a page that a reader sees or hears, outside of programs."""

import re
from html.parser import HTMLParser

from tests.tournaments.web.pages.html import VOID

# The same in every language.
NAMES = {"Boardroom", "Elo", "API", "CSV", "JSON", "CPU", "UTC", "MB", "ms", "English", "Deutsch"}
SAID = {"title", "aria-label", "placeholder", "alt", "data-say"}


class Words(HTMLParser):
    """What a reader of a page sees or hears, outside of programs; `but_english`: and of what is marked as English."""

    def __init__(self, page: str, *, but_english: bool = False) -> None:
        super().__init__()
        self.passed_over = {"pre", "code", "title", "english"} if but_english else {"pre", "code"}
        self.open: list[str] = []
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open += [tag, "english"] if ("lang", "en") in attrs and tag != "html" else [tag]
        if "english" not in self.passed_over & set(self.open):
            self.found += [value for name, value in attrs if name in SAID and value]

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            del self.open[len(self.open) - 1 - self.open[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if not self.passed_over & set(self.open):
            self.found.append(data)

    @property
    def words(self) -> list[str]:
        return [word for text in self.found for word in re.findall(r"[A-Za-z]{2,}", text) if word not in NAMES]
