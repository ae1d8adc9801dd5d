"""What a move costs at the least: a plain view with the same authentication and the same SQL.

It logs whatever it is sent. The addresses of the project stand beside it, so that one server
answers both: ROOT_URLCONF=benchmarks.naive.
"""

from django.db import transaction
from django.urls import include, path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.models import Attempt, LoggedMove


class Move(APIView):
    """Token look-up, SELECT FOR UPDATE, INSERT, UPDATE, and no rule of any game."""

    def post(self, request: Request, attempt_id: str) -> Response:
        move = dict(request.data)["move"]
        with transaction.atomic():
            attempt = Attempt.objects.select_for_update().get(
                pk=attempt_id, player_id=request.user.pk
            )
            attempt.ply += 1
            attempt.line = f"{attempt.line} {move}"
            LoggedMove.objects.create(attempt=attempt, number=attempt.ply, move=move, at_ms=0)
            attempt.save(update_fields=["ply", "line"])
        return Response({"ply": attempt.ply})


urlpatterns = [
    path("naive/<str:attempt_id>/moves", Move.as_view()),
    path("", include("pyramid_site.urls")),
]
