"""What names look like: two that are taken for each other have one skeleton (Unicode's UTS #39)."""

from pathlib import Path
from unicodedata import normalize


def _characters(hexadecimal: str) -> str:
    return "".join(chr(int(number, 16)) for number in hexadecimal.split(" "))


def _table() -> dict[str, str]:
    """The prototype of each character that is taken for another."""
    found = {}
    for line in Path(__file__).with_name("lookalikes.txt").read_text("ascii").splitlines():
        if not line.startswith("#"):
            prototype, lookalikes = map(_characters, line.split(";"))
            found.update(dict.fromkeys(lookalikes, prototype))
    return found


PROTOTYPES = _table()


def skeleton(name: str) -> str:
    """What look-alikes have in common, in whichever case either is written; not for showing."""
    # A capital I is taken for an l, and i is the same letter.
    return _prototypes(_prototypes(name).casefold()).replace("i", "l")


def _prototypes(text: str) -> str:
    found = "".join(PROTOTYPES.get(character, character) for character in normalize("NFD", text))
    return normalize("NFD", found)
