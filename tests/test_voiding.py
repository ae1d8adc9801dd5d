"""Days that are void: no starts, no ranks, no broken streak."""

from datetime import date

import pytest

from games import deals, records
from games.models import DailyDeal, Voiding
from leaderboards import periods
from leaderboards.models import CountedDay, PeriodScore
from pyramid_site.refusals import Refusal
from tests.api.client import Client, sign_up
from tests.builders import DAY, SHORT_LINE, nothing_changes, publish_short, seal
from tests.conftest import SimulatedClock

pytestmark = [pytest.mark.core, pytest.mark.django_db]

REASON = "A card was missing."


@pytest.fixture
def deal(clock: SimulatedClock) -> DailyDeal:
    return publish_short()


def test_everybody_is_told_that_the_day_is_void_and_why(deal: DailyDeal) -> None:
    known = Client().get("/deals/today/one-pass")
    deals.void(deal_id=deal.pk, reason=REASON)
    told = Client().get("/deals/today/one-pass", {"If-None-Match": known.headers["ETag"]})
    assert told.body == {**known.body, "status": "void", "void_reason": REASON}
    assert Client().get("/deals/today").body["items"][0] == told.body


def test_a_void_day_takes_no_more_starts(deal: DailyDeal, clock: SimulatedClock) -> None:
    ada, ben = sign_up("Ada"), sign_up("Ben")
    begun = ada.begin()
    deals.void(deal_id=deal.pk, reason=REASON)
    with nothing_changes():
        refused = ben.start()
        assert refused.refusal == (409, "deal_closed")
        assert REASON in refused.body["detail"]
        assert ada.start().body["id"] == begun["id"]
    clock.set("2026-12-01T02:00:00.000Z")
    seal(deal)
    with nothing_changes():
        assert ben.start("one-pass", "2026-11-30").refusal == (409, "deal_closed")


def test_a_void_day_has_no_ranks_whenever_it_is_voided(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    ada, ben = sign_up("Ada"), sign_up("Ben")
    first = ada.begin("one-pass", *SHORT_LINE)
    assert first["result"]["rank"] == 1
    later = ben.begin()
    known = Client().board().headers["ETag"]
    deals.void(deal_id=deal.pk, reason=REASON)
    later = ben.play(later, *SHORT_LINE)  # what has begun may go on
    for _ in range(2):
        for who, attempt in ((ada, first), (ben, later)):
            found = who.attempt(attempt["id"]).body
            assert (found["status"], found["result"]) == ("cleared", None)
            assert who.board(day="2026-11-30", around="me").refusal == (404, "not_ranked")
        board = (
            Client().get("/deals/2026-11-30/one-pass/leaderboard", {"If-None-Match": known}).body
        )
        assert (board["total"], board["items"]) == (0, [])
        clock.set("2026-12-01T02:00:00.000Z")
        deals.seal_due()
    assert Client().get("/deals/2026-11-30/one-pass").body["status"] == "void"


def test_a_void_day_has_no_clean_board_and_none_within_a_group(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    ada = sign_up("Ada")
    ada.begin("one-pass", *SHORT_LINE)
    group = ada.post("/groups", {"name": "friends"}).body["id"]
    boards: list[dict[str, str]] = [{}, {"board": "clean"}]
    boards += [{**board, "group": group} for board in boards]
    for board in boards:
        assert ada.board(**board).body["total"] == 1
    deals.void(deal_id=deal.pk, reason=REASON)
    for _ in range(2):
        for board in boards:
            body = ada.board(day="2026-11-30", **board).body
            assert (body["total"], body["items"]) == (0, [])
            refused = ada.board(day="2026-11-30", around="me", **board)
            assert refused.refusal == (404, "not_ranked")
        clock.set("2026-12-01T02:00:00.000Z")
        deals.seal_due()


def test_a_day_voided_after_its_seal_is_taken_off_its_week_month_and_all_time(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    ada = sign_up("Ada")
    ada.begin("one-pass", *SHORT_LINE)
    clock.set("2026-12-01T12:00:00.000Z")
    seal(deal)
    tomorrow = publish_short(day=date(2026, 12, 1))
    clock.advance(ms=250)
    ada.begin("one-pass", *SHORT_LINE)
    clock.set("2026-12-02T02:00:00.000Z")
    seal(tomorrow)
    assert deals.count_sealed() == 2
    assert scores() == {"2026-W49": 2, "2026-11": 1, "2026-12": 1, "all-time": 2}
    deals.void(deal_id=deal.pk, reason=REASON)
    assert scores() == {"2026-W49": 1, "2026-12": 1, "all-time": 1}
    assert deals.count_sealed() == 0
    for score in PeriodScore.objects.all():  # and just so they are computed anew
        before = (score.minus_days, score.ranked_ms, score.player_id)
        periods.recompute(period_id=score.period_id)
        again = PeriodScore.objects.get(period=score.period_id)
        assert (again.minus_days, again.ranked_ms, again.player_id) == before
    assert ada.get("/me").body["stats"][0]["played"] == 1


def scores() -> dict[str, int]:
    return {it.period.name: it.days_cleared for it in PeriodScore.objects.all()}


def test_a_day_voided_before_its_seal_is_never_counted(
    deal: DailyDeal, clock: SimulatedClock
) -> None:
    sign_up("Ada").begin("one-pass", *SHORT_LINE)
    deals.void(deal_id=deal.pk, reason=REASON)
    clock.set("2026-12-01T02:00:00.000Z")
    seal(deal)
    assert deals.count_sealed() == 0
    assert not CountedDay.objects.exists()
    assert periods.count(deal_id=deal.pk, challenge="one-pass", day=DAY) is False


def test_a_void_day_breaks_no_streak_and_adds_to_none(clock: SimulatedClock) -> None:
    ada = sign_up("Ada")
    for day in (28, 29, 30):
        clock.set(f"2026-11-{day}T12:00:00.000Z")
        publish_short(day=date(2026, 11, day))
        if day != 29:
            ada.begin("one-pass", *SHORT_LINE)
    assert ada.get("/me").body["streak"] == 1
    faulty = DailyDeal.objects.get(date=date(2026, 11, 29))
    deals.void(deal_id=faulty.pk, reason=REASON)
    assert records.bridged_days() == {date(2026, 11, 29)}
    assert ada.get("/me").body["streak"] == 2
    cleared = DailyDeal.objects.get(date=date(2026, 11, 28))
    deals.void(deal_id=cleared.pk, reason=REASON)
    assert ada.get("/me").body["streak"] == 1


@pytest.mark.parametrize(
    ("instant", "code"),
    [("2026-11-29T23:59:59.999Z", "deal_not_open"), ("2026-11-30T00:00:00.000Z", None)],
)
def test_a_day_is_void_only_once_it_has_begun_and_once(
    instant: str, code: str | None, deal: DailyDeal, clock: SimulatedClock
) -> None:
    clock.set(instant)
    if code is None:
        deals.void(deal_id=deal.pk, reason=REASON)
        code = "deal_void"
    with nothing_changes(), pytest.raises(Refusal, match=code):
        deals.void(deal_id=deal.pk, reason="Another reason.")


@pytest.mark.parametrize("missing", [0, 999_999])
def test_what_is_no_deal_is_not_voided(missing: int, deal: DailyDeal) -> None:
    with nothing_changes(), pytest.raises(Refusal, match="not_found"):
        deals.void(deal_id=missing, reason=REASON)
    assert not Voiding.objects.exists()
