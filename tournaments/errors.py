"""Refusals of a request by a person or a program: a stable code and a sentence that says what is right."""


class Refused(Exception):
    """Raised by the verbs; the API and the pages show both parts. Nothing was changed."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail
