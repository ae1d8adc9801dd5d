"""Which names players may have, and friendly names for guests."""

import re
import secrets
import unicodedata
from collections.abc import Iterator
from itertools import accumulate

from django.conf import settings

from players import lookalikes
from pyramid_site.refusals import Refusal

SHORTEST, LONGEST = 3, 24  # characters
LONGEST_WRITTEN = 200  # characters, with accents written apart and spaces about it

ADJECTIVES = (
    "Amber", "Autumn", "Bold", "Brave", "Bright", "Calm", "Clever", "Copper", "Cosmic", "Crimson",
    "Daring", "Deft", "Eager", "Early", "Gentle", "Golden", "Happy", "Honest", "Ivory", "Jolly",
    "Keen", "Kind", "Lucky", "Lunar", "Merry", "Mighty", "Misty", "Noble", "Patient", "Plucky",
    "Polar", "Proud", "Quick", "Quiet", "Rapid", "Royal", "Ruby", "Rustic", "Scarlet", "Silent",
    "Silver", "Smart", "Snowy", "Solar", "Steady", "Sunny", "Swift", "Tidy", "Velvet", "Vivid",
    "Warm", "Wild", "Winter", "Wise", "Witty", "Zesty",
)  # fmt: skip
ANIMALS = (
    "Badger", "Bear", "Beaver", "Bison", "Camel", "Cat", "Crane", "Crow", "Deer", "Dolphin",
    "Dove", "Eagle", "Falcon", "Ferret", "Finch", "Fox", "Gecko", "Goose", "Hare", "Hawk",
    "Heron", "Horse", "Ibex", "Ibis", "Jackal", "Jay", "Koala", "Lark", "Lemur", "Lion", "Lynx",
    "Magpie", "Marten", "Mole", "Moose", "Newt", "Otter", "Owl", "Panda", "Puffin", "Rabbit",
    "Raven", "Robin", "Seal", "Shrew", "Sparrow", "Stork", "Swan", "Tapir", "Tiger", "Toad",
    "Turtle", "Vole", "Walrus", "Weasel", "Whale", "Wolf", "Wren", "Yak", "Zebra",
)  # fmt: skip

BLOCKED = ("admin", "administrator", "moderator", "official", "pyramid daily", "staff", "support")
"""Words of those who speak for the server; the setting BLOCKED_NAMES adds others."""
GONE = "gone-"  # begins the name that stands for a deleted player, and no other

FORBIDDEN_CATEGORIES = {
    "Cc": "control characters",
    "Cf": "invisible or direction-changing characters",
    "Cn": "unassigned characters",
    "Co": "private characters",
    "Cs": "half characters",
    "Zl": "line breaks",
    "Zp": "line breaks",
}
BLANK = re.compile(
    # Unicode's Default_Ignorable_Code_Point as far as no category above has it,
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
    # spaces that NFKC leaves, an empty pattern, an empty note head, places for what is not there,
    "\u1680\u2800\u303f\ufffc\U00013441\U00013442\U00016fe4\U0001d159]"
    # and marks that only join two letters of their script, anywhere else.
    "|[\u1039\u17d2\u1a60\u2d7f\uaaf6\U00010a3f\U0001107f\U00011133\U000113d0\U0001193e"
    "\U00011a47\U00011a99\U00011d45\U00011d97\U00011f42](?![^\\W\\d_A-Za-z])"
)
LEET = str.maketrans("013456789@$!|", "oleasgtbgasll")
"""Digits and signs in the place of letters."""


def friendly() -> str:
    """A random name such as "Quiet Heron 4821"; one of 30 million, but perhaps taken."""
    return (
        f"{secrets.choice(ADJECTIVES)} {secrets.choice(ANIMALS)} {secrets.randbelow(9000) + 1000}"
    )


def gone() -> str:
    """Return a neutral name for a deleted player."""
    return GONE + secrets.token_hex(8)


def cleaned(name: str) -> str:
    """The name in Unicode's NFKC form without outer spaces.

    Raises Refusal `invalid_request` for what no name may hold, or nobody may be called.
    """
    clean = unicodedata.normalize("NFKC", name).strip()
    if problem := _problem(clean):
        error = {"field": "name", "code": "invalid_name", "detail": problem}
        raise Refusal("invalid_request", problem, errors=[error])
    return clean


def key(name: str) -> str:
    """Return the form in which names are compared, ignoring letter case.

    A text too long for a name is returned as it is: sorting its accents takes quadratic time.
    """
    if len(name) > LONGEST_WRITTEN:
        return name
    clean = unicodedata.normalize("NFKC", name).strip()
    return unicodedata.normalize("NFKC", clean.casefold())


def _problem(name: str) -> str | None:
    if not SHORTEST <= len(name) <= LONGEST:
        return f"A name has {SHORTEST} to {LONGEST} characters."
    for character in name:
        if (words := FORBIDDEN_CATEGORIES.get(unicodedata.category(character))) is not None:
            return f"A name has no {words}."
    if BLANK.search(name):
        return f"A name has no {FORBIDDEN_CATEGORIES['Cf']}."
    if "  " in name:
        return "A name has no two spaces in a row."
    if not any(character.isalnum() for character in name):
        return "A name has a letter or a digit in it."
    if _is_blocked(name):
        return "Nobody may be called that here."
    return None


def _is_blocked(name: str) -> bool:
    """Whether it has a blocked word, however it is written: in the plural, with accents, in
    pieces, with digits about it or in the place of letters, or in letters that look alike.
    """
    if lookalikes.skeleton(name).startswith(GONE):
        return True
    blocked = {_spelled(entry) for entry in (*BLOCKED, *settings.BLOCKED_NAMES)}
    blocked |= {entry + "s" for entry in blocked}
    readings = (name, re.sub(r"\d", " ", name), name.rstrip("!|").translate(LEET))
    return any(run in blocked for reading in readings for run in _runs(reading))


def _runs(text: str) -> Iterator[str]:
    """Every run of neighbouring words, written as one: a word may be cut into pieces."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)  # CamelCase
    words = [_spelled(word) for word in re.findall(r"[^\W_]+", _plain(parted))]
    for first in range(len(words)):
        yield from accumulate(words[first:])


def _spelled(text: str) -> str:
    """What it looks like without accents, spaces and signs."""
    return lookalikes.skeleton(re.sub(r"[\W_]", "", _plain(text)))


def _plain(text: str) -> str:
    """The text without its accents."""
    parts = unicodedata.normalize("NFD", text)
    return "".join(it for it in parts if unicodedata.category(it) != "Mn")
