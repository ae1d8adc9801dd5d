"""Which mail addresses there are, and that each is stored in one form (D)."""

import pytest

from players import addresses


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("ada@example.org", "ada@example.org"),
        ("Ada.L+cards@Example.ORG", "ada.l+cards@example.org"),
        ("ada@b\u00fccher.example.org", "ada@xn--bcher-kva.example.org"),
        ("ada@BU\u0308CHER.example.org", "ada@xn--bcher-kva.example.org"),
        ("ADA@XN--BCHER-KVA.example.org", "ada@xn--bcher-kva.example.org"),
        ("ada@stra\u00dfe.example.org", "ada@xn--strae-oqa.example.org"),
        ("ada@\uff21.org", "ada@a.org"),
        ("ada@example\u3002org", "ada@example.org"),
    ],
)
def test_d_an_address_has_one_form(written: str, stored: str) -> None:
    assert addresses.clean(written) == stored
    assert addresses.clean(stored) == stored
    assert stored.isascii()


@pytest.mark.parametrize(
    "text",
    [
        '"a\x0bX:b"@example.org', "a\x0bX:b@example.org", '"a b"@example.org', '"ada"@example.org',
        "ada@example.org\n", "ada@example.org\r\nBcc: b@example.org", "a\x00@example.org",
        " ada@example.org", "ada@example.org ", "Ada <ada@example.org>", "ada@example.org, b@x.org",
        "ada", "ada@", "@example.org", "ada@localhost", "ada@[127.0.0.1]", "a..b@example.org",
        "ada@example.org.", "ada@-example.org", "\u00e4da@example.org", "\u212ada@example.org",
        "ada@\ue000.de", "ada@ex\u00adample.org", "ada@a\u200db.org", "ada(x)@example.org",
        "ada@" + "\xfc" * 63 + ".de", "a" * 65 + "@example.org", "\u202eada@example.org",
    ],
)  # fmt: skip
def test_d_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Enter a valid email address"):
        addresses.clean(text)
