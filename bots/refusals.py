"""A refusal of what somebody asked for: a stable code and a sentence that says what is right."""


class Refused(Exception):
    """Nothing was changed."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail
