"""The calendar, the picture of a deal, its winning line, the review of its best."""

import re

import pytest
from django.test import Client

from games import attempts, engine, queries
from games.models import Challenge, DailyDeal
from tests import builders
from tests.admin.pages import AFTER_THE_SEAL, address, play, staff
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]

CALENDAR = "/admin/games/dailydeal/calendar/"


def cell(client: Client, day: str, challenge: str, first: str = "") -> str:
    """What stands in a cell, its links left out."""
    page = client.get(CALENDAR, {"from": first} if first else {})
    weeks = page.context["weeks"]
    [cells] = [cells for date, cells in weeks.days if str(date) == day]
    [found] = [it for it in cells if it.challenge.pk == challenge]
    number = [it.pk for it in weeks.challenges].index(challenge)
    row = re.search(
        rf"<th scope=\"row\">{found_day(day)}</th>(.*?)</tr>", page.content.decode(), re.DOTALL
    )
    assert row
    html = re.findall(r"<td class=\"(.*?)\">(.*?)</td>", row[1], re.DOTALL)[number]
    assert html[0] == found.state
    return re.sub(r"\s+", " ", re.sub(r"<a class=\"write\".*?</a>|<[^>]+>", "", html[1])).strip()


def found_day(day: str) -> str:
    from datetime import date

    it = date.fromisoformat(day)
    return f"{it:%a} {it.day} {it:%b}"


def test_the_calendar_says_how_each_day_stands(deal: DailyDeal, root: Client) -> None:
    assert cell(root, "2026-11-30", "one-pass") == "open 2 played, 1 cleared"
    assert cell(root, "2026-11-28", "double") == "sealed 1 played, 1 cleared"
    assert cell(root, "2026-11-28", "three-pass") == "void 0 played, 0 cleared"
    assert cell(root, "2026-12-03", "double") == "made on order"
    assert cell(root, "2026-12-01", "one-pass") == "missing"
    assert cell(root, "2026-12-07", "one-pass") == "missing"
    assert cell(root, "2026-12-08", "one-pass") == ""  # not due yet
    assert cell(root, "2026-11-29", "one-pass") == ""


def test_the_calendar_follows_the_clock(
    deal: DailyDeal, root: Client, clock: SimulatedClock
) -> None:
    clock.set("2026-12-01T01:59:59.999Z")
    assert cell(root, "2026-11-30", "one-pass") == "closing 2 played, 1 cleared"
    clock.set(AFTER_THE_SEAL)
    assert cell(root, "2026-11-30", "one-pass") == "unsealed 2 played, 1 cleared"
    builders.seal(deal)
    assert cell(root, "2026-11-30", "one-pass") == "sealed 2 played, 1 cleared"


def test_the_calendar_shows_tiers_hand_written_deals_and_pauses(
    root: Client, clock: SimulatedClock
) -> None:
    builders.publish_short(day=builders.DAY.replace(month=12, day=2))
    copy = DailyDeal.objects.get()
    copy.replaces_id, copy.pk = copy.pk, None
    copy.source, copy.k, copy.difficulty = "hand", None, "hard"
    copy.save()
    Challenge.objects.filter(pk="double").update(paused_from="2026-12-02")
    assert cell(root, "2026-12-02", "one-pass") == "made hard, by hand"
    assert cell(root, "2026-12-02", "double") == "paused"
    assert cell(root, "2026-12-01", "double") == "missing"
    assert queries.deals().count() == 1


@pytest.mark.parametrize("text", ["x", "2026-02-30", "0001-01-01", "9999-12-31", "\u0662"])
def test_what_is_no_day_shows_the_present_weeks(text: str, root: Client) -> None:
    assert root.get(CALENDAR, {"from": text}).status_code == 200


def test_the_calendar_shows_other_weeks(deal: DailyDeal, root: Client) -> None:
    shown = root.get(CALENDAR, {"from": "2026-11-05"}).context["weeks"]
    days = [str(day) for day, _ in shown.days]
    assert (days[0], days[-1]) == ("2026-11-02", "2026-11-29")
    assert (str(shown.earlier), str(shown.later)) == ("2026-10-05", "2026-11-30")
    assert cell(root, "2026-11-28", "double", "2026-11-05") == "sealed 1 played, 1 cleared"


def test_the_calendar_asks_as_much_the_fuller_it_is(root: Client, clock: SimulatedClock) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def asked() -> int:
        with CaptureQueriesContext(connection) as found:
            root.get(CALENDAR)
        return len(found)

    builders.publish_short()
    few = asked()
    for day in range(20, 29):
        builders.publish_short("double", day=builders.DAY.replace(day=day))
    assert asked() == few <= 12


def test_e_the_calendar_offers_to_write_a_deal_to_whom_it_may(
    deal: DailyDeal, root: Client
) -> None:
    link = "/admin/games/challenge/one-pass/write/?date=2026-12-04"
    assert link in root.get(CALENDAR).content.decode()
    assert "/write/" not in staff("view_dailydeal").get(CALENDAR).content.decode()
    assert "write/?date=2026-11-30" not in root.get(CALENDAR).content.decode()
    form = root.get(link).content.decode()
    assert 'value="2026-12-04"' in form


def test_a_sealed_deal_is_pictured_with_every_card(
    deal: DailyDeal, root: Client, clock: SimulatedClock
) -> None:
    assert 'class="cards"' not in root.get(address(deal, "change")).content.decode()
    clock.set(AFTER_THE_SEAL)
    builders.seal(deal)
    shown = root.get(address(deal, "change")).content.decode()
    titles = re.findall(r"<title>(?:(\w+) )?(\w\w)</title>", shown)
    assert [card for _, card in titles] == [*deal.deal.pyramid, *deal.deal.stock]
    assert [spot for spot, _ in titles][:3] == ["a1", "b1", "b2"]
    assert "Stock, next draw first: 24, pass 1 of 1" in shown
    assert shown.count('class="card ') == 52


def test_the_winning_line_is_shown_step_by_step(
    deal: DailyDeal, root: Client, clock: SimulatedClock
) -> None:
    clock.set(AFTER_THE_SEAL)
    builders.seal(deal)
    line = engine.parse_log(deal.winning_line, deal.rules)
    game = engine.Game.start(deal.deal, deal.rules)
    for number, move in enumerate((None, *line)):
        game = game.play(move) if move else game
        shown = root.get(f"{address(deal, 'line')}?step={number}")
        assert engine.format_position(game.position) in shown.content.decode(), number
        assert (shown.context["number"], shown.context["last"]) == (number, len(line))
    assert [it[1] for it in shown.context["rows"]] == deal.winning_line.split(" ")
    for text in ("x", "-1", "999", "1e3", "\u0663"):
        assert root.get(f"{address(deal, 'line')}?step={text}").status_code == 200


def test_the_moves_are_said_in_words(root: Client, clock: SimulatedClock) -> None:
    deal = builders.publish_short(
        passes=2, stock_top=True, outside_pairs=True, pyramid=("Kd", "6c", "Ts")
    )
    moves = ["D", "U", "D", "D", "D", "b2W"]
    attempt = play(deal, "Eve", moves)
    clock.set(AFTER_THE_SEAL)
    builders.seal(deal)
    shown = root.get(f"{address(attempt, 'replay')}?step=6")
    assert [it[2] for it in shown.context["rows"]] == [
        "draws A\u2663", "takes the last move back", "draws A\u2663", "draws 2\u2663",
        "draws 3\u2663", "removes 10\u2660 and 3\u2663",
    ]  # fmt: skip
    assert 'class="gone taken"' in shown.content.decode()


def test_a_replay_shows_what_its_player_had_seen(
    deal: DailyDeal, root: Client, clock: SimulatedClock
) -> None:
    clock.set(AFTER_THE_SEAL)
    builders.seal(deal)
    for attempt in deal.attempts.all():
        shown = root.get(f"{address(attempt, 'replay')}?step={attempt.ply}").content.decode()
        assert engine.format_position(attempt.game.shown) in shown
        assert shown.count('class="back"') == 24 - attempt.seen


def test_a_long_replay_is_paged(root: Client, clock: SimulatedClock) -> None:
    deal = builders.publish_short()
    attempt = play(deal, "Eve", ["D", "U"] * 130)
    clock.set(AFTER_THE_SEAL)
    builders.seal(deal)
    for step, first, last in [(0, 1, 100), (100, 1, 100), (101, 101, 200), (260, 201, 260)]:
        rows = root.get(f"{address(attempt, 'replay')}?step={step}").context["rows"]
        assert (rows[0][0].number, rows[-1][0].number) == (first, last)


def test_h_the_review_of_a_deal_shows_its_best_with_what_stands_out(
    deal: DailyDeal, root: Client, clock: SimulatedClock
) -> None:
    moves = builders.CERTIFIED["one-pass"].moves
    player = play(deal, "Dan", []).player
    attempt = deal.attempts.get(player=player)
    for ply, move in enumerate(moves):
        clock.advance(ms=1_000 + 700 * (ply % 5))
        attempts.play(attempt_id=attempt.pk, player_id=player.pk, move=move, ply=ply)
    assert root.get(address(deal, "review")).status_code == 403
    clock.set(AFTER_THE_SEAL)
    builders.seal(deal)
    rows = root.get(address(deal, "review")).context["rows"]
    assert [str(it.result.player) for it in rows] == ["Ada", "Dan"]
    assert [it.numbers.median_ms for it in rows] == [0, 2_400]
    assert rows[0].flags == ["fast moves", "moves faster than a hand", "no pause at new cards"]
    assert rows[1].flags == []
    seen = root.get(address(attempt, "change")).content.decode()
    assert "2.400 s" in seen
    assert staff("view_dailydeal").get(address(deal, "review")).status_code == 403
