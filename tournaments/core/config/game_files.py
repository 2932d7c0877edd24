"""What games bring for pages: the files in `static/` of their folders, as `/static/games/GAME/`."""

from django.contrib.staticfiles.finders import FileSystemFinder
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage

from bots.games import FOLDERS
from bots.viewer.posters import STATIC


class GameFiles(FileSystemFinder):
    def __init__(self) -> None:
        folders = {f"games/{game}": str(folder / STATIC) for game, folder in FOLDERS.items()}
        self.locations = list(folders.items())
        self.storages = {}
        for prefix, root in self.locations:
            self.storages[root] = FileSystemStorage(location=root)
            self.storages[root].prefix = prefix

    def check(self, **_: object) -> list[CheckMessage]:
        """Return no objections: those of the class it extends are to a setting."""
        return []
