"""What the rules allow in a position, and what a move makes of it."""

from enum import StrEnum
from itertools import combinations

from games.engine.cards import Card, value
from games.engine.errors import IllegalMoveError
from games.engine.layout import SPOT_NUMBER, SPOTS, covers
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
    format_move,
)
from games.engine.position import Position


class Outcome(StrEnum):
    """What a position without a way on has come to.

    >>> Outcome("stuck")
    <Outcome.STUCK: 'stuck'>
    """

    CLEARED = "cleared"
    STUCK = "stuck"


def available(position: Position) -> dict[Place, Card]:
    """The cards that may be removed, by place (R2, R6): spots, then the waste, then the stock.

    >>> from dataclasses import replace
    >>> from games.engine.position import parse_position
    >>> from games.engine.rulesets import RULE_SETS
    >>> rules = replace(RULE_SETS["three-pass"], rows=2)
    >>> available(parse_position("Kd/--4s 8s?? 8h9c 1", rules))
    {'b2': '4s', 'W': '9c', 'S': '8s'}
    """
    pyramid = position.pyramid
    cards = {
        SPOTS[spot]: card
        for spot, (card, over) in enumerate(zip(pyramid, covers(position.rules.rows), strict=True))
        if card and not any(pyramid[cover] for cover in over)
    }
    if position.waste:
        cards[WASTE] = position.waste[-1]
    if position.stock and position.rules.stock_top:
        cards[STOCK] = position.stock[0]
    return cards


def legal_moves(position: Position) -> list[Move]:
    """Every legal move in the ASCII order of its text, undo apart; none in a cleared position.

    >>> from dataclasses import replace
    >>> from games.engine.moves import format_log
    >>> from games.engine.position import parse_position
    >>> from games.engine.rulesets import RULE_SETS
    >>> rules = replace(RULE_SETS["three-pass"], rows=2)
    >>> format_log(legal_moves(parse_position("Kd/Kc4s 9s?? 8h9c 1", rules)))
    'D b1 b2S b2W'
    """
    if is_cleared(position):
        return []
    moves: list[Move] = []
    if position.stock:
        moves.append(Draw())
    elif position.waste and position.pass_number < position.rules.passes:
        moves.append(Redeal())
    cards = available(position)
    moves += [King(place) for place, card in cards.items() if value(card) == 13]
    moves += [
        Pair(first, second)
        for (first, card), (second, other) in combinations(cards.items(), 2)
        if value(card) + value(other) == 13 and (first != WASTE or position.rules.outside_pairs)
    ]
    return sorted(moves, key=format_move)


def is_cleared(position: Position) -> bool:
    """Whether all that the goal names is gone (R10).

    >>> from games.engine.rulesets import RULE_SETS
    >>> is_cleared(Position(RULE_SETS["one-pass"], (None,) * 28, ("8s",), (), 1))
    True
    >>> is_cleared(Position(RULE_SETS["full-clear"], (None,) * 28, ("8s",), (), 1))
    False
    """
    if any(position.pyramid):
        return False
    return position.rules.goal == "pyramid" or not (position.stock or position.waste)


def outcome(position: Position) -> Outcome | None:
    """Cleared (R10), stuck (R11), or None while there is a way on.

    >>> from games.engine.rulesets import RULE_SETS
    >>> outcome(Position(RULE_SETS["one-pass"], ("4s",) * 28, (), ("8s",), 1))
    <Outcome.STUCK: 'stuck'>
    """
    if is_cleared(position):
        return Outcome.CLEARED
    return None if legal_moves(position) else Outcome.STUCK


def check_legal(position: Position, move: Move) -> None:
    """Raise IllegalMoveError, which names the rule, unless the move is legal.

    >>> from games.engine.rulesets import RULE_SETS
    >>> check_legal(Position(RULE_SETS["one-pass"], ("4s",) * 28, (), (), 1), Pair("g1", "g2"))
    Traceback (most recent call last):
    games.engine.errors.IllegalMoveError: g1g2: 4s and 4s do not total 13 (R4)
    """
    if is_cleared(position):
        raise IllegalMoveError("R10", format_move(move), "the game is cleared")
    match move:
        case Draw():
            if not position.stock:
                raise IllegalMoveError("R8", "D", "the stock is empty")
        case Redeal():
            _check_redeal(position)
        case King(place):
            card = _available_card(position, place, move)
            if value(card) != 13:
                raise IllegalMoveError("R5", place, f"{card} is no King and needs a partner")
        case Pair():
            _check_pair(position, move)
        case Undo():
            raise IllegalMoveError("R12", "U", "only a game in progress remembers its moves")


def is_legal(position: Position, move: Move) -> bool:
    """Whether the rules allow the move.

    >>> from games.engine.rulesets import RULE_SETS
    >>> is_legal(Position(RULE_SETS["one-pass"], ("4s",) * 28, (), (), 1), Draw())
    False
    """
    try:
        check_legal(position, move)
    except IllegalMoveError:
        return False
    return True


def play(position: Position, move: Move) -> Position:
    """The position after a move that is checked first; raises IllegalMoveError.

    >>> from games.engine.rulesets import RULE_SETS
    >>> play(Position(RULE_SETS["one-pass"], ("4s",) * 28, ("8s",), (), 1), Draw()).waste
    ('8s',)
    """
    check_legal(position, move)
    return after(position, move)


def after(position: Position, move: Move) -> Position:
    """The position after a move that is known to be legal.

    >>> from games.engine.rulesets import RULE_SETS
    >>> after(Position(RULE_SETS["three-pass"], ("4s",) * 28, (), ("8s",), 1), Redeal())[2:]
    (('8s',), (), 2)
    """
    rules, pyramid, stock, waste, pass_number = position
    match move:
        case Draw():
            return Position(rules, pyramid, stock[1:], (*waste, stock[0]), pass_number)
        case King(place):
            return _without(position, place)
        case Pair(first, second):
            return _without(position, first, second)
        case Redeal():
            return Position(rules, pyramid, waste, (), pass_number + 1)
        case Undo():
            raise ValueError("only a game in progress can take a move back")


def _without(position: Position, *places: Place) -> Position:
    rules, pyramid, stock, waste, pass_number = position
    spots = list(pyramid)
    for place in places:
        if place == WASTE:
            waste = waste[:-1]
        elif place == STOCK:
            stock = stock[1:]
        else:
            spots[SPOT_NUMBER[place]] = None
    return Position(rules, tuple(spots), stock, waste, pass_number)


def _check_redeal(position: Position) -> None:
    if position.stock:
        raise IllegalMoveError("R9", "R", "the stock is not empty yet")
    if not position.waste:
        raise IllegalMoveError("R9", "R", "the waste is empty")
    if position.pass_number >= position.rules.passes:
        raise IllegalMoveError("R9", "R", f"pass {position.pass_number} was the last")


def _check_pair(position: Position, pair: Pair) -> None:
    text = format_move(pair)
    if _is_own_cover(position, pair):
        raise IllegalMoveError("R4", text, f"{pair.second} covers {pair.first}")
    card = _available_card(position, pair.first, pair)
    other = _available_card(position, pair.second, pair)
    if 13 in (value(card), value(other)):
        raise IllegalMoveError("R5", text, "a King goes alone and never pairs")
    if value(card) + value(other) != 13:
        raise IllegalMoveError("R4", text, f"{card} and {other} do not total 13")
    if pair.first == WASTE and not position.rules.outside_pairs:
        raise IllegalMoveError("R7", text, "one card of a pair must come from the pyramid")


def _is_own_cover(position: Position, pair: Pair) -> bool:
    first, second = SPOT_NUMBER.get(pair.first), SPOT_NUMBER.get(pair.second)
    if first is None or second is None or not position.pyramid[first]:
        return False
    return second in covers(position.rules.rows)[first] and bool(position.pyramid[second])


def _available_card(position: Position, place: Place, move: Move) -> Card:
    """The card at an available place; raises IllegalMoveError (R2, R6)."""
    text = format_move(move)
    if place == WASTE:
        if not position.waste:
            raise IllegalMoveError("R6", text, "the waste is empty")
        return position.waste[-1]
    if place == STOCK:
        if not position.rules.stock_top:
            raise IllegalMoveError("R6", text, "these rules keep the stock closed")
        if not position.stock:
            raise IllegalMoveError("R6", text, "the stock is empty")
        return position.stock[0]
    spot = SPOT_NUMBER[place]
    card = position.pyramid[spot]
    if card is None:
        raise IllegalMoveError("R6", text, f"{place} is empty")
    if any(position.pyramid[cover] for cover in covers(position.rules.rows)[spot]):
        raise IllegalMoveError("R2", text, f"{place} is covered")
    return card
