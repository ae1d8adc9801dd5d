"""The addresses of identity, below /api/v1/."""

from django.urls import path

from players.api import views

urlpatterns = [
    path("players", views.Players.as_view()),
    path("auth/login", views.Login.as_view()),
    path("auth/logout", views.Logout.as_view()),
    path("auth/logout-all", views.LogoutAll.as_view()),
    path("auth/reset", views.Reset.as_view()),
    path("auth/reset/confirm", views.ResetConfirm.as_view()),
    path("me/password", views.Password.as_view()),
    path("me/email", views.GiveEmail.as_view()),
    path("me/email/confirm", views.ConfirmEmail.as_view()),
]
