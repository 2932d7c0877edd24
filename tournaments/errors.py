"""What a person or a program asked for and cannot have: a stable code and a sentence that says what would be right."""


class Refused(Exception):
    """Raised by the verbs; the API and the pages show both parts. Nothing was changed."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail
