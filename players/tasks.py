"""The sending of mails, one task each, so that no other work waits for a mail server."""

import logging
from collections.abc import Iterable
from threading import Thread

from celery import shared_task
from django.conf import settings
from django.db import connection

from players import mails, queries
from pyramid_site import clock

logger = logging.getLogger(__name__)

LONGEST = 30  # s for one mail, however slowly the mail server answers
AT_ONCE = 50  # mails; the next sweep hands out the others


@shared_task(soft_time_limit=LONGEST, time_limit=LONGEST + 10)
def send_mail(mail_id: int) -> None:
    """Sends one mail, if it is still due."""
    mails.send(mail_id=mail_id)


def hand_out_mails() -> None:
    """Has the mails that are due sent, and waits for none: by a worker, else by a thread.

    A mail that is handed out twice is sent once; one that is lost on its way stays due.
    """
    mails.drop_vain()
    due = [*queries.mails_due(clock.now()).values_list("pk", flat=True)[:AT_ONCE]]
    if settings.REDIS_URL:
        for mail_id in due:
            send_mail.apply_async((mail_id,), expires=55)  # s; the next sweep hands it out again
    elif due:
        Thread(target=_send_all, args=(due,), name="mails").start()


def _send_all(due: Iterable[int]) -> None:
    """Sends mails in turn, in a thread with a connection of its own."""
    try:
        for mail_id in due:
            mails.send(mail_id=mail_id)
    except Exception:
        logger.exception("Mails could not be sent")
    finally:
        connection.close()
