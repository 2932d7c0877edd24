"""A page as tests read it: its elements, its words, and what no page of ours may hold."""

from collections import Counter
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "img", "br", "hr"}
Attributes = dict[str, str]


class Html(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, Attributes]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        assert not (self.open and self.open[-1] in ("script", "style") and data.strip()), "written in place"

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def all(self, tag: str) -> list[Attributes]:
        return [attributes for name, attributes in self.elements if name == tag]

    def faults(self) -> list[str]:
        """Faults of the page in words: for our policy, for screen readers, for people who type."""
        elements = [attributes for _, attributes in self.elements]
        ids = Counter(attributes["id"] for attributes in elements if "id" in attributes)
        labelled = {label.get("for") for label in self.all("label")}
        typed = [
            field for tag in ("input", "select", "textarea") for field in self.all(tag) if field.get("type") != "hidden"
        ]
        addresses = [
            element[name] for element in elements for name in ("src", "href", "action", "srcset") if name in element
        ]
        named = [
            element[name] for element in elements for name in ("aria-labelledby", "aria-describedby") if name in element
        ]
        return [
            *(
                f"written in place: {name}"
                for element in elements
                for name in element
                if name == "style" or name.startswith("on")
            ),
            *("a script without an address" for script in self.all("script") if "src" not in script),
            *(f"another origin: {address}" for address in addresses if "//" in address or address.startswith("data:")),
            *(f"id {name} twice" for name, times in ids.items() if times > 1),
            *(f"no label for {field.get('id')}" for field in typed if field.get("id") not in labelled),
            *(f"names nothing: {name}" for names in named for name in names.split() if name not in ids),
            *(["a table without a caption"] if len(self.all("caption")) < len(self.all("table")) else []),
            *("a heading cell without scope" for cell in self.all("th") if "scope" not in cell),
            *(["not one h1"] if len(self.all("h1")) != 1 else []),
            *(["no title"] if not self.all("title") else []),
            *(f"never closed: {tag}" for tag in self.open),
        ]
