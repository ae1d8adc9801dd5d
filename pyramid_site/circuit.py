"""What is done without for a moment when it fails, so that nobody waits for it in vain."""

import logging
import math
from collections.abc import Callable
from time import monotonic
from typing import TypeVar

T = TypeVar("T")

logger = logging.getLogger(__name__)
REST = 5.0  # s for which what failed is left alone


class Circuit:
    """Calls to one server of this process; `otherwise` says what is done while it is left alone."""

    def __init__(self, otherwise: str) -> None:
        self.otherwise = otherwise
        self.resting_until = -math.inf

    def call(self, function: Callable[[], T]) -> T | None:
        """The answer; None where the call fails, and for a while after without any call."""
        if monotonic() < self.resting_until:
            return None
        try:
            return function()
        except Exception as error:  # of whatever the server's client may raise
            logger.warning("%s for %g s: %s", self.otherwise, REST, error)
            self.resting_until = monotonic() + REST
            return None
