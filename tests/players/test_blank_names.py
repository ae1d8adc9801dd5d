"""Names with blanks in them, over all of Unicode, and names that speak for the server."""

import sys
import unicodedata
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageFont

from players import names
from pyramid_site.refusals import Refusal

FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
EVERY = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]
IGNORABLE = [  # Default_Ignorable_Code_Point, of Unicode's DerivedCoreProperties.txt
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
]  # fmt: skip


def is_refused(name: str) -> bool:
    try:
        names.cleaned(name)
    except Refusal:
        return True
    return False


def passing(characters: Iterator[str], around: tuple[str, str]) -> list[str]:
    """Those of the characters with which a name passes and is not simply what it is without."""
    before, after = around
    plain = {before + after, f"{before} {after}".strip()}
    return [
        f"U+{ord(it):04X}"
        for it in characters
        if not is_refused(before + it + after) and names.cleaned(before + it + after) not in plain
    ]


PLACES = [("Ada", ""), ("", "Ada"), ("Ad", "a"), ("Ada ", " Ben")]


@pytest.mark.parametrize("around", PLACES)
def test_e_no_ignorable_character_tells_two_names_apart(around: tuple[str, str]) -> None:
    ignorable = (chr(code) for first, last in IGNORABLE for code in range(first, last + 1))
    assert passing(ignorable, around) == []


@pytest.mark.parametrize("around", PLACES)
def test_e_no_space_but_the_plain_one_tells_two_names_apart(around: tuple[str, str]) -> None:
    spaces = (it for it in EVERY if it.isspace() or unicodedata.category(it)[0] == "Z")
    assert passing(spaces, around) == []


@pytest.mark.parametrize("around", PLACES)
def test_e_no_character_without_ink_tells_two_names_apart(around: tuple[str, str]) -> None:
    """By what a font with many scripts draws."""
    if not FONT.exists():
        pytest.skip("the font DejaVu Sans is not installed (apt-get install fonts-dejavu-core)")
    font = ImageFont.truetype(FONT, 32, layout_engine=ImageFont.Layout.BASIC)
    drawn = (it for it in EVERY if unicodedata.category(it) not in names.FORBIDDEN_CATEGORIES)
    inkless = (it for it in drawn if it != " " and font.getmask(it).getbbox() is None)
    assert passing(inkless, around) == []


@pytest.mark.parametrize(
    "blank",
    ["\u303f", "\ufffc", "\U00016fe4", "\U0001d159", "\u2d7f", "\u1039", "\u17d2",
     "\u1a60", "\uaaf6", "\U00010a3f", "\U0001107f", "\U00011133", "\U00011a47", "\U00011a99",
     "\U00011d45", "\U00011d97", "\u2800", "\u115f", "\u1160", "\u3164", "\uffa0"],
)  # fmt: skip
@pytest.mark.parametrize("around", PLACES)
def test_e_a_blank_that_few_fonts_have_tells_no_two_names_apart(
    blank: str, around: tuple[str, str]
) -> None:
    assert is_refused(around[0] + blank + around[1])


@pytest.mark.parametrize(
    "name",
    ["\u1010\u1039\u1010\u103c\u102c", "\u1794\u17d2\u179a\u17b6\u1780", "\u0e01\u0e34\u0e19",
     "\ud55c\uad6d\uc5b4", "\u0928\u092e\u0938\u094d\u0924\u0947", "Zo\u00eb",
     "\u05e9\u05dc\u05d5\u05dd"],
)  # fmt: skip
def test_names_in_scripts_that_join_their_letters_are_let_be(name: str) -> None:
    assert names.cleaned(name) == name


@pytest.mark.parametrize(
    "name",
    ["a.d.m.i.n", "a_d_m_i_n", "A D M I N", "ad-min", "Ad Min", "admins", "Admins 7", "moderators",
     "Admin.", "Admin!", "!Admin!", "Admin's", "supp0rt", "4dmin", "@dmin", "adm!n", "adm!n!",
     "$taff", "st4ff", "m0d3rat0r", "0ff1c1als", "ad1min", "adm\u00edn", "\u00c4dmin",
     "\u0410dmins",
     "AdminTeam", "TheAdmin", "staffs", "PyramidDaily", "pyramid.daily", "P.y.r.a.m.i.d Daily",
     "4.d.m.1.n.s", "The.4dm1n", "Administrators"],
)  # fmt: skip
def test_e_a_reserved_word_is_known_in_pieces_in_the_plural_and_in_disguise(name: str) -> None:
    with pytest.raises(Refusal, match="Nobody may be called"):
        names.cleaned(name)


@pytest.mark.parametrize(
    "name",
    ["Badminton", "Brad Minton", "Staffan", "Falstaff 7", "Stafford", "Supported", "Officially",
     "Daily Pyramid", "Modern Tor", "Adam In", "Nomad Min 7", "Artist Affair"],
)  # fmt: skip
def test_words_that_only_hold_a_reserved_one_are_let_be(name: str) -> None:
    assert names.cleaned(name) == name


@given(
    st.sampled_from([it for it in names.BLOCKED if " " not in it]),
    st.lists(st.sampled_from(["", ".", "-", "_", " ", "'", "\u00b7"]), min_size=13, max_size=13),
    st.sampled_from(["", "s"]),
)
def test_e_nothing_between_the_letters_of_a_reserved_word_hides_it(
    word: str, between: list[str], plural: str
) -> None:
    written = "".join(map("".join, zip(word + plural, between, strict=False))).strip()
    assert is_refused(written)


def test_every_friendly_name_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for number, words in enumerate(product(names.ADJECTIVES, names.ANIMALS)):
        name = f"{' '.join(words)} {1000 + number * 37 % 9000}"
        assert names.cleaned(name) == name
