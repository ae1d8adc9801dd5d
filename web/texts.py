"""The words of the pages, from the same files that the modules read."""

import json
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from django.http import HttpRequest
from django.utils.translation.trans_real import parse_accept_lang_header

FOLDER = Path(__file__).parent / "static/web/texts"
LANGUAGES = {"en": "English", "de": "Deutsch", "pl": "Polski"}
COOKIE = "language"  # set by the switch of the page, and read by nothing but pages

Texts = Mapping[str, Any]


@cache
def of(language: str) -> Texts:
    """All texts of a language, by page and name."""
    texts: Texts = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
    return texts


def language_of(request: HttpRequest) -> str:
    """The language that the visitor chose, else the best that the browser asks for."""
    chosen = request.COOKIES.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    for tag, _ in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        if (language := tag.partition("-")[0]) in LANGUAGES:
            return language
    return "en"


def day_name(t: Texts, day: date) -> str:
    """As "30 November 2026"."""
    month = t["dates"]["months"][day.month - 1]
    return str(t["dates"]["day"].format(day=day.day, month=month, year=day.year))
