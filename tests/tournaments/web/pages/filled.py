"""The forms of a page as a browser has them: which fields stand in them, with what, and what a button sends."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

ONE_LINE = {"text", "search", "tel", "url", "email", "password", "number", "date", "datetime-local"}
NUMBER = re.compile(r"-?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?")
BUTTONS = {"submit", "button", "reset", "image"}
Sent = list[tuple[str, str]]


@dataclass
class Field:
    name: str
    kind: str  # an input's type, or "textarea", "select", "submit"
    value: str = ""
    options: list[str] = field(default_factory=list)
    on: bool = True  # a box that is ticked, an option that is chosen
    disabled: bool = False
    longest: int | None = None

    @property
    def is_typed(self) -> bool:
        """A person chose or wrote what is in it."""
        return self.kind not in {"hidden", *BUTTONS} and not self.disabled

    @property
    def sent(self) -> str:
        text = self.value.replace("\r\n", "\n").replace("\r", "\n")
        if self.kind in ONE_LINE:
            text = text.replace("\n", "")
        if self.kind in ("url", "email"):
            text = text.strip()
        if self.kind == "number" and not NUMBER.fullmatch(text):
            text = ""
        return text.replace("\0", "\ufffd").replace("\n", "\r\n")


@dataclass
class Form:
    action: str
    method: str
    id: str
    fields: list[Field] = field(default_factory=list)

    @property
    def typed(self) -> list[Field]:
        return [field for field in self.fields if field.is_typed and field.name]

    def sent(self) -> Sent:
        """Fields that are sent by any button without a name; files are chosen again."""
        return [
            (field.name, field.sent)
            for field in self.fields
            if field.name and field.on and not field.disabled and field.kind not in {"file", *BUTTONS}
        ]


class Forms(HTMLParser):
    """`address`: that of the page, to which a form without one of its own is sent."""

    def __init__(self, page: str, address: str) -> None:
        super().__init__()
        self.address, self.forms, self.others = address, [], []  # type: ignore[var-annotated]
        self.form: Form | None = None
        self.words: list[str] | None = None
        self.option: dict[str, str | None] | None = None
        self.select: Field | None = None
        self.chosen: list[str] = []
        self.feed(page)
        self.close()
        for owner, control in self.others:
            next(form for form in self.forms if form.id == owner).fields.append(control)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        if tag == "form":
            action = has.get("action") or self.address
            action = self.address.partition("?")[0] if action == "?" else action
            self.form = Form(action, (has.get("method") or "get").lower(), has.get("id") or "")
            self.forms.append(self.form)
        elif tag in ("input", "textarea", "select", "button"):
            self._begin(tag, has)
        elif tag == "option":
            self._option_ends()
            self.option, self.words = has, []

    def _begin(self, tag: str, has: dict[str, str | None]) -> None:
        kind = (has.get("type") or {"input": "text", "button": "submit"}.get(tag, tag)).lower()
        value = has.get("value") or ("on" if kind in ("checkbox", "radio") and "value" not in has else "")
        on = "checked" in has if kind in ("checkbox", "radio") else True
        most = has.get("maxlength")
        field = Field(has.get("name") or "", kind, value, [], on, "disabled" in has, int(most) if most else None)
        if tag == "select":
            field.disabled, self.select, self.chosen = "disabled" in has, field, []
        elif tag == "textarea":
            self.words = []
        if owner := has.get("form"):
            self.others.append((owner, field))
        elif self.form is not None:
            self.form.fields.append(field)
        self.last = field

    def handle_data(self, data: str) -> None:
        if self.words is not None:
            self.words.append(data)

    def _option_ends(self) -> None:
        if self.option is None or self.select is None:
            return
        given = self.option.get("value")
        value = " ".join("".join(self.words or []).split()) if given is None else given
        self.select.options.append(value)
        if "selected" in self.option:
            self.chosen.append(value)
        self.option = self.words = None

    def handle_endtag(self, tag: str) -> None:
        if tag == "option":
            self._option_ends()
        elif tag == "select" and self.select is not None:
            self._option_ends()
            self.select.value = (self.chosen or self.select.options or [""])[-1 if self.chosen else 0]
            self.select = None
        elif tag == "textarea":
            text = "".join(self.words or []).replace("\r\n", "\n").replace("\r", "\n")
            self.last.value, self.words = text.removeprefix("\n"), None
        elif tag == "form":
            self.form = None


def forms_of(page: str, address: str = "/") -> list[Form]:
    return [form for form in Forms(page, address).forms if form.method == "post"]


def form_of(page: str, address: str) -> Form:
    """The form that is sent to this address."""
    forms = [form for form in forms_of(page, address) if form.action.partition("?")[0] == address.partition("?")[0]]
    assert forms, f"no form on the page is sent to {address}"
    return forms[0]
