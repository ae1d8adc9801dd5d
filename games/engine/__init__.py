"""Pyramid Solitaire: cards, deals, moves and the rules, as values and pure functions.

>>> from games.engine import RULE_SETS, Deal, Game, deal_deck, format_log, legal_moves
>>> rules = RULE_SETS["one-pass"]
>>> deal = Deal.from_deck(deal_deck(bytes(32), "one-pass", 0, rules.decks), rules)
>>> format_log(legal_moves(Game.start(deal, rules).position))
'D g2g4'
"""

from games.engine.cards import DECK, HIDDEN, Card, card_of, value
from games.engine.deal import Deal, format_deal, parse_deal, parse_deck
from games.engine.errors import (
    GameError,
    IllegalMoveError,
    LogFullError,
    NotationError,
    NothingToUndoError,
)
from games.engine.game import MAX_LOG, Game, replay
from games.engine.layout import rows_of
from games.engine.moves import (
    STOCK,
    WASTE,
    Draw,
    King,
    Move,
    Pair,
    Place,
    Redeal,
    Undo,
    format_log,
    format_move,
    parse_log,
    parse_move,
)
from games.engine.position import Position, format_position, parse_position
from games.engine.rules import (
    Outcome,
    after,
    available,
    check_legal,
    is_cleared,
    is_legal,
    legal_moves,
    outcome,
    play,
)
from games.engine.rulesets import RULE_SETS, Goal, Rules, format_rules, parse_rules
from games.engine.shuffling import SHUFFLE_ID, deal_deck, shuffle

__all__ = [
    "DECK",
    "HIDDEN",
    "MAX_LOG",
    "RULE_SETS",
    "SHUFFLE_ID",
    "STOCK",
    "WASTE",
    "Card",
    "Deal",
    "Draw",
    "Game",
    "GameError",
    "Goal",
    "IllegalMoveError",
    "King",
    "LogFullError",
    "Move",
    "NotationError",
    "NothingToUndoError",
    "Outcome",
    "Pair",
    "Place",
    "Position",
    "Redeal",
    "Rules",
    "Undo",
    "after",
    "available",
    "card_of",
    "check_legal",
    "deal_deck",
    "format_deal",
    "format_log",
    "format_move",
    "format_position",
    "format_rules",
    "is_cleared",
    "is_legal",
    "legal_moves",
    "outcome",
    "parse_deal",
    "parse_deck",
    "parse_log",
    "parse_move",
    "parse_position",
    "parse_rules",
    "play",
    "replay",
    "rows_of",
    "shuffle",
    "value",
]
