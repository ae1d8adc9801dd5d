"""The addresses of identity, below /api/v1/."""

from django.urls import path

from players.api import views

urlpatterns = [
    path("players", views.Players.as_view()),
    path("auth/logout", views.Logout.as_view()),
]
