"""Why a sandbox was refused, or could not be built."""


class SandboxError(Exception):
    """The platform's failure, never a bot's. `code` is stable; the text is a sentence for the worker's operator."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
