"""What is masked before the seal, and for whom it is not.

A deal's secrets are masked until its seal, and so are the moves at it: those that clear a deal
are its solution.
"""

from django.contrib.auth.models import Permission
from django.db.models import Q
from django.http import HttpRequest

from games import queries
from games.models import DailyDeal

SECRETS = ("cards", *queries.SECRETS)
MASK = "secret until the seal"


def may_see_secrets(request: HttpRequest, deal: DailyDeal) -> bool:
    """Whether the deal is sealed, or the permission to see more was granted by name.

    Not `has_perm`: it says yes to every superuser, and an operator plays the daily deal too.
    """
    if deal.sealed:
        return True
    return Permission.objects.filter(
        Q(user=request.user.pk) | Q(group__user=request.user.pk),
        content_type__app_label="games",
        codename="view_secrets",
    ).exists()


def of(deal: str) -> list[str]:
    """A deal's secrets as seen from a row that refers to it."""
    return [f"{deal}__{secret}" for secret in SECRETS]
