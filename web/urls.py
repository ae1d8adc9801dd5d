"""The addresses of the pages."""

from django.urls import path

from web import pages, pictures

app_name = "web"
urlpatterns = [
    path("", pages.today, name="today"),
    path("play/<str:day>/<str:challenge>", pages.play, name="play"),
    path("leaderboard/<str:day>/<str:challenge>", pages.leaderboard, name="leaderboard"),
    path("archive", pages.archive, name="archive"),
    path("replay/<uuid:attempt>", pages.replay, name="replay"),
    path("profile", pages.profile, name="profile"),
    path("players/<path:name>", pages.player, name="player"),
    path("account", pages.account, name="account"),
    path("manifest.webmanifest", pages.manifest, name="manifest"),
    path("favicon.ico", pages.favicon),
    path("pictures/<str:day>/<str:challenge>.png", pictures.of_deal, name="picture"),
]
