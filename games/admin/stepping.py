"""The page that goes through a log or a winning line step by step."""

from collections.abc import Sequence
from typing import Any

from games import engine
from games.admin import pictures
from games.models import DailyDeal
from games.replays import Step

LISTED = 100  # moves beside the picture


def context(
    deal: DailyDeal, steps: Sequence[Step], *, asked: str | None, as_seen: bool
) -> dict[str, Any]:
    """What `admin/games/steps.html` shows: the position after the step asked for, else the deal.

    `as_seen`: with the unseen cards of the stock face down, as the player had it.
    """
    number = int(asked) if asked and asked.isascii() and asked.isdecimal() else 0
    number = min(number, len(steps))
    step = steps[number - 1] if number else None
    game = step.after if step else engine.Game.start(deal.deal, deal.rules)
    start = (max(number, 1) - 1) // LISTED * LISTED
    return {
        "step": step,
        "number": number,
        "last": len(steps),
        "picture": pictures.picture(
            game.shown if as_seen else game.position, pictures.places(step.move) if step else ()
        ),
        "caption": said(step) if step else "The deal",
        "rows": [
            (it, engine.format_move(it.move), said(it)) for it in steps[start : start + LISTED]
        ],
        "earlier": start,
        "later": start + LISTED + 1 if start + LISTED < len(steps) else None,
    }


def said(step: Step) -> str:
    """A step in words."""
    return pictures.words(step.move, step.before.position)
