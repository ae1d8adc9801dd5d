"""What a service raises when it will not do what was asked."""


class Refusal(Exception):  # noqa: N818 a refusal is an answer, not a fault
    """A stable code, words for the player, and the data of that code. Nothing was changed.

    `pyramid_site.api.problems` knows each code's status and turns the refusal into a reply.
    """

    def __init__(self, code: str, detail: str, **data: object) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.data = data


def not_found(what: str) -> Refusal:
    """One answer for what is not there, what is not yet there and what is not the caller's."""
    return Refusal("not_found", f"There is no such {what}.")
