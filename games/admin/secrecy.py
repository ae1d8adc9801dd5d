"""What is masked before the seal, and for whom it is not.

A deal's secrets are masked until its seal, and so are the moves at it: those that clear a deal
are its solution.
"""

from django.contrib.auth.models import Permission
from django.db.models import Q
from django.http import HttpRequest

from games import queries
from games.models import DailyDeal
from pyramid_site import audit_log

SECRETS = ("cards", *queries.SECRETS)
MASK = "secret until the seal"


def reveals(request: HttpRequest, deal: DailyDeal) -> bool:
    """Whether a page shows the secrets of a deal. One that does before the seal is written down.

    Ask where they are about to be shown; the audit log has each request once.
    """
    if deal.sealed:
        return True
    if not _may_see_secrets(request):
        return False
    if not hasattr(request, "revealed"):
        vars(request)["revealed"] = deal.pk
        by = audit_log.staff(request.user)
        audit_log.record(by=by, act="look", on=deal, why=f"Its secrets, at {request.path}")
    return True


def _may_see_secrets(request: HttpRequest) -> bool:
    """Whether the permission was granted by name.

    Not `has_perm`: it says yes to every superuser, and an operator plays the daily deal too.
    """
    return Permission.objects.filter(
        Q(user=request.user.pk) | Q(group__user=request.user.pk),
        content_type__app_label="games",
        codename="view_secrets",
    ).exists()


def of(deal: str) -> list[str]:
    """A deal's secrets as seen from a row that refers to it."""
    return [f"{deal}__{secret}" for secret in SECRETS]
