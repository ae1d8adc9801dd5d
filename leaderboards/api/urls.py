"""The addresses of groups, below /api/v1/."""

from django.urls import path

from leaderboards.api import groups

urlpatterns = [
    path("groups", groups.Groups.as_view()),
    path("groups/join", groups.Join.as_view()),
    path("groups/<str:group_id>", groups.OneGroup.as_view()),
    path("groups/<str:group_id>/code", groups.Code.as_view()),
    path("groups/<str:group_id>/members/<str:player_id>", groups.Member.as_view()),
    path("me/groups", groups.OwnGroups.as_view()),
]
