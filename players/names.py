"""Names: which ones a player may bear, and friendly ones for those who bring none."""

import secrets
import unicodedata

from pyramid_site.refusals import Refusal

SHORTEST, LONGEST = 3, 24  # characters

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

FORBIDDEN_CATEGORIES = {
    "Cc": "control characters",
    "Cf": "invisible or direction-changing characters",
    "Cn": "unassigned characters",
    "Co": "private characters",
    "Cs": "half characters",
    "Zl": "line breaks",
    "Zp": "line breaks",
}


def friendly() -> str:
    """A random name such as "Quiet Heron 4821"; one of 30 million, but perhaps taken."""
    return (
        f"{secrets.choice(ADJECTIVES)} {secrets.choice(ANIMALS)} {secrets.randbelow(9000) + 1000}"
    )


def cleaned(name: str) -> str:
    """The name in Unicode's NFKC form without outer spaces.

    Raises Refusal `invalid_request` for what no name may hold.
    """
    clean = unicodedata.normalize("NFKC", name).strip()
    if problem := _problem(clean):
        error = {"field": "name", "code": "invalid_name", "detail": problem}
        raise Refusal("invalid_request", problem, errors=[error])
    return clean


def key(name: str) -> str:
    """What two names that are one name have in common: letter case does not tell them apart."""
    return unicodedata.normalize("NFKC", name.casefold())


def _problem(name: str) -> str | None:
    if not SHORTEST <= len(name) <= LONGEST:
        return f"A name has {SHORTEST} to {LONGEST} characters."
    for character in name:
        if (words := FORBIDDEN_CATEGORIES.get(unicodedata.category(character))) is not None:
            return f"A name has no {words}."
    if "  " in name:
        return "A name has no two spaces in a row."
    if not any(character.isalnum() for character in name):
        return "A name has a letter or a digit in it."
    return None
