"""How far a command has come, for whoever watches it at a terminal."""

from django.core.management.base import OutputWrapper


class Progress:
    """A bar on a terminal; elsewhere nothing."""

    WIDTH = 40

    def __init__(self, terminal: OutputWrapper, total: int) -> None:
        self.terminal = terminal if terminal.isatty() else None
        self.total = total

    def show(self, done: int) -> None:
        bar = "#" * (self.WIDTH * done // max(1, self.total))
        self._write(f"[{bar:.<{self.WIDTH}}] {done}/{self.total}")

    def clear(self) -> None:
        self._write("")

    def _write(self, text: str) -> None:
        if self.terminal is not None:
            self.terminal.write(f"\r\x1b[K{text}", ending="")
            self.terminal.flush()
