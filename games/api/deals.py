"""Challenges, the deals of today, one deal, and the archive."""

import re
from datetime import date
from typing import TypedDict

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import deals, queries, tasks
from games.api import shapes
from games.models import DailyDeal
from pyramid_site import clock
from pyramid_site.api.endpoint import Endpoint, Listing, Timestamp, timestamp
from pyramid_site.api.parsing import PageQuery
from pyramid_site.paging import Keys
from pyramid_site.refusals import Refusal, not_found

ARCHIVE = Keys(("date", "challenge_id"), descending=True)


class ChallengesShape(TypedDict):
    """All challenges in display order."""

    items: list[shapes.ChallengeShape]


class TodayShape(TypedDict):
    """Today's deals (UTC), one for each challenge. `now` is the server's clock."""

    date: date
    now: Timestamp
    items: list[shapes.DealShape]


class ArchiveQuery(PageQuery):
    challenge = serializers.CharField(max_length=40, required=False)


def asked_for(day: str, challenge_id: str) -> DailyDeal:
    """Return the deal at an address; a missing deal of today is put in the queue to be made."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", challenge_id):
        raise not_found("deal")  # PostgreSQL fails where it is asked for a text with a NUL
    try:
        return deals.find(day=day, challenge_id=challenge_id)
    except Refusal as refusal:
        if refusal.code == "deal_being_made":
            tasks.ask_for_deals()
        raise


def of_today() -> TodayShape:
    """Return today's deals in display order; missing ones are put in the queue to be made."""
    now = clock.now()
    made = queries.deals_of(now.date())
    counts = queries.counts(made.values())
    items = []
    for challenge in queries.challenges(now.date()):
        if row := made.get(challenge.pk):
            items.append(shapes.deal(row, counts[row.pk], now))
        else:
            unmade = DailyDeal(date=now.date(), challenge=challenge)
            items.append(shapes.deal(unmade, queries.DealCounts(), now, made=False))
    if any(item["status"] == "being_made" for item in items):
        tasks.ask_for_deals()
    return {"date": now.date(), "now": timestamp(now), "items": items}


class Challenges(Endpoint):
    """The challenges."""

    tag = "deals"
    answers = {"GET": {200: ChallengesShape}}

    def get(self, request: Request) -> Response:
        """List the challenges."""
        body: ChallengesShape = {
            "items": [shapes.challenge(row) for row in queries.challenges(clock.today())]
        }
        return self.answer(body)


class Today(Endpoint):
    """Today's deals."""

    tag = "deals"
    answers = {"GET": {200: TodayShape, 304: None}}

    def get(self, request: Request) -> Response:
        """List today's deals, including those still being made."""
        body = of_today()
        return self.answer(body, version=_version(body["items"]))


class OneDeal(Endpoint):
    """One deal."""

    tag = "deals"
    answers = {"GET": {200: shapes.DealShape, 304: None}}
    codes = {"GET": ["not_found", "deal_being_made"]}

    def get(self, request: Request, day: str, challenge: str) -> Response:
        """Read one deal; `today` is the current day (UTC)."""
        row = asked_for(day, challenge)
        body = shapes.deal(row, queries.counts([row])[row.pk], clock.now())
        return self.answer(body, version=_version([body]))


class Deals(Endpoint):
    """The archive."""

    tag = "deals"
    query_forms = {"GET": ArchiveQuery}
    answers = {"GET": {200: Listing[shapes.DealShape]}}

    def get(self, request: Request) -> Response:
        """List sealed deals, newest first."""
        page = ARCHIVE.page(
            queries.sealed_deals(self.query.get("challenge")),
            cursor=self.query.get("cursor"),
            limit=self.query["limit"],
        )
        counts = queries.counts(page.items)
        now = clock.now()
        body: Listing[shapes.DealShape] = {
            "items": [shapes.deal(row, counts[row.pk], now) for row in page.items],
            "next": page.next,
            "previous": page.previous,
        }
        return self.answer(body)


def _version(items: list[shapes.DealShape]) -> str:
    """Return a version that changes with these deals."""
    return ".".join(
        f"{it['date']}-{it['challenge']}-{it['status']}-{it['players']}-{it['cleared']}"
        for it in items
    )
