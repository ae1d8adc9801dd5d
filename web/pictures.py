"""The picture that goes with a deal's address where people share it; it shows nothing of the cards.

`python -m web.pictures` draws the icons anew.
"""

from datetime import date, timedelta
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe
from PIL import Image, ImageDraw, ImageFont

from pyramid_site import clock, limits
from pyramid_site.refusals import Refusal
from web import pages, texts

SIZE = (1200, 630)  # what those who show it ask for
FINE = 2  # drawn so much larger, and then reduced: Pillow's lines have no smooth edges
SKY, LOW, SUN = "#123a3c", "#1d5553", "#e9b44c"
FAR, NEAR, INK, SOFT = "#e8d9b5", "#c9a565", "#fffdf7", "#b9d3cc"


KEPT = 2_592_000  # s, of a deal that is sealed


@limits.scoped("PICTURE")
@require_safe
def of_deal(request: HttpRequest, day: str, challenge: str) -> HttpResponse:
    """The picture of a deal that one may know of; `today` leads to that of its date."""
    response: HttpResponse
    if day == "today":
        now = clock.now()
        response = redirect("web:picture", now.date(), challenge)
        midnight = clock.midnight(now.date() + timedelta(days=1))
        seconds = min(60, clock.ms_between(now, midnight) // 1000)
    else:
        try:
            row = pages.deal_at(day, challenge)
        except Refusal as refusal:
            raise Http404 from refusal
        response = HttpResponse(_of(row.date, row.challenge.title, row.difficulty), "image/png")
        known = 86_400 if row.difficulty else 60  # it is about to be known
        seconds = KEPT if row.sealed else known
    response["Cache-Control"] = f"public, max-age={seconds}"
    return response


@lru_cache(maxsize=512)  # of some 12 KB each
def _of(day: date, title: str, difficulty: str | None) -> bytes:
    """The PNG, in English: those who fetch it for others do not say what these read."""
    t = texts.of("en")
    picture = Image.new("RGB", SIZE, SKY)
    picture.paste(_scene(), (0, 0))
    draw = ImageDraw.Draw(picture)
    draw.text((80, 96), t["site"]["name"], INK, _font(76))
    draw.text((80, 330), title, INK, _font(60))
    draw.text((80, 420), texts.day_name(t, day), SOFT, _font(44))
    if difficulty:
        draw.text((80, 490), t["difficulty"][difficulty], SUN, _font(44))
    return _png(picture)


@cache  # the half of the work that is the same in all of them
def _scene() -> Image.Image:
    """A pyramid of cards, all of them face down, before a low sun."""
    scene = Image.new("RGB", (SIZE[0] * FINE, SIZE[1] * FINE), SKY)
    draw = ImageDraw.Draw(scene)
    draw.rectangle(_fine(0, 540, 1200, 630), LOW)
    draw.ellipse(_fine(900, 70, 1090, 260), SUN)
    for row in range(7):
        for i in range(row + 1):
            _card(draw, x=832 + 80 * i - 40 * row, y=126 + 52 * row)
    return scene.resize(SIZE, Image.Resampling.LANCZOS)


def icon(size: int) -> bytes:
    """The sign of the site on a ground of its own, square, as devices cut it themselves."""
    large = Image.new("RGB", (1024, 1024), SKY)
    draw = ImageDraw.Draw(large)
    draw.ellipse((560, 180, 800, 420), SUN)
    _pyramid(draw, x=220, y=110, width=360, height=290)
    return _png(large.resize((size, size), Image.Resampling.LANCZOS))


def _pyramid(draw: ImageDraw.ImageDraw, *, x: int, y: int, width: int, height: int) -> None:
    """One with its top at x + width / 2, in coordinates before they are made finer."""
    top, left, right, base = x + width / 2, x, x + width, y + height
    draw.polygon(_fine(top, y, right, base, left, base), FAR)
    draw.polygon(_fine(top, y, right, base, top + width / 12, base), NEAR)


def _card(draw: ImageDraw.ImageDraw, *, x: int, y: int) -> None:
    """The back of one, with its top left corner at a point."""
    draw.rounded_rectangle(_fine(x, y, x + 74, y + 104), 8 * FINE, INK, SKY, 2 * FINE)
    draw.rounded_rectangle(_fine(x + 6, y + 6, x + 68, y + 98), 5 * FINE, LOW)
    _pyramid(draw, x=x + 15, y=y + 26, width=44, height=44)


def _fine(*numbers: float) -> list[float]:
    return [number * FINE for number in numbers]


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)  # the one that Pillow brings: no machine need have any


def _png(picture: Image.Image) -> bytes:
    written = BytesIO()
    picture.quantize(96).save(written, "PNG", optimize=True)
    return written.getvalue()


if __name__ == "__main__":
    for pixels in (180, 512):
        path = Path(__file__).parent / f"static/web/img/icon-{pixels}.png"
        path.write_bytes(icon(pixels))
