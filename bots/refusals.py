"""Refusals of what somebody asked for: a stable code and a sentence that says what is right."""

from engine.errors import Portable
from engine.sentences import Sentence


class Refused(Portable):
    """Nothing was changed. `Refused("no_room", "there is no room for %(count)s bots", count=7)`."""

    def __init__(self, code: str, detail: str, /, **filled: object) -> None:
        self.code = code
        self.detail = detail if isinstance(detail, Sentence) else Sentence(detail, **filled)
        super().__init__(str(self.detail))


class SubmitError(Portable):
    """Why it was not submitted, in a sentence with a code; `exit_code` is the command's."""

    def __init__(self, code: str, sentence: str, exit_code: int = 2) -> None:
        super().__init__(f"{sentence} [{code}]")
        self.code, self.sentence, self.exit_code = code, sentence, exit_code
