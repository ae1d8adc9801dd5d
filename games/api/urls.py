"""The addresses of the game, below /api/v1/."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from games.api import attempts, deals, export, leaderboard, me, periods, players, stats


class PlayerName(StringConverter):
    """A name may hold slashes; one at the end makes another address, as it does everywhere."""

    regex = ".*[^/]"


register_converter(PlayerName, "name")

urlpatterns = [
    path("me", me.Me.as_view()),
    path("me/attempts", attempts.OwnAttempts.as_view()),
    path("me/claim", me.Claim.as_view()),
    path("me/export", export.Export.as_view()),
    path("players/<name:name>", players.PlayerPage.as_view()),
    path("challenges", deals.Challenges.as_view()),
    path("deals", deals.Deals.as_view()),
    path("deals/today", deals.Today.as_view()),
    path("deals/<str:day>/<str:challenge>", deals.OneDeal.as_view()),
    path("deals/<str:day>/<str:challenge>/attempts", attempts.DealAttempts.as_view()),
    path("deals/<str:day>/<str:challenge>/leaderboard", leaderboard.Leaderboard.as_view()),
    path("deals/<str:day>/<str:challenge>/stats", stats.DealStats.as_view()),
    path("leaderboards/<str:challenge>/<str:period>", periods.PeriodLeaderboard.as_view()),
    path("attempts/<str:attempt_id>", attempts.OneAttempt.as_view()),
    path("attempts/<str:attempt_id>/moves", attempts.Moves.as_view()),
    path("attempts/<str:attempt_id>/resign", attempts.Resign.as_view()),
]
