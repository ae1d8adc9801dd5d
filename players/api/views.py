"""The addresses of identity that need no game: signing up, in and off, and passwords."""

from typing import TypedDict
from uuid import UUID

from rest_framework.exceptions import Throttled, ValidationError
from rest_framework.fields import empty
from rest_framework.request import Request
from rest_framework.response import Response

from players import accounts, addresses, confirmations, names, queries, resets
from players.models import Player
from pyramid_site.api import throttles
from pyramid_site.api.endpoint import Endpoint, Timestamp, timestamp
from pyramid_site.api.parsing import Strict, StrictString


class PlayerShape(TypedDict):
    """A player. A `guest` without a valid token cannot be recovered."""

    id: UUID
    name: str
    guest: bool
    joined_at: Timestamp


class SignedInShape(TypedDict):
    """A player and a token for it, which is shown only once.

    The token is the only way back to a guest: logging out or losing it loses the player and all
    its attempts. `POST /me/claim` adds a password.
    """

    player: PlayerShape
    token: str
    expires_at: Timestamp


class SignUpBody(Strict):
    name = StrictString(max_length=200, required=False)


class LoginBody(Strict):
    name = StrictString(max_length=200)
    password = StrictString(max_length=200)


class PasswordBody(Strict):
    old = StrictString(max_length=200)
    new = StrictString(max_length=200)


class Email(StrictString):
    """A valid mail address, normalised as it is stored."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(max_length=254, **kwargs)

    def run_validation(self, data: object = empty) -> object:
        text = super().run_validation(data)
        try:
            return addresses.clean(text) if isinstance(text, str) else text
        except ValueError as error:
            raise ValidationError(str(error), "invalid") from error


class ResetBody(Strict):
    email = Email()


class EmailBody(Strict):
    email = Email()
    password = StrictString(max_length=200)


class EmailConfirmBody(Strict):
    key = StrictString(max_length=200, help_text="as it was mailed")


class ResetConfirmBody(Strict):
    key = StrictString(max_length=200, help_text="as it was mailed")
    password = StrictString(max_length=200)


def player_shape(player: Player) -> PlayerShape:
    return {
        "id": player.id,
        "name": player.name,
        "guest": player.guest,
        "joined_at": timestamp(player.joined_at),
    }


def signed_in_shape(signed_in: accounts.SignedIn) -> SignedInShape:
    return {
        "player": player_shape(signed_in.player),
        "token": signed_in.token,
        "expires_at": timestamp(signed_in.expires_at),
    }


class Players(Endpoint):
    """Sign up."""

    tag = "players"
    throttle_scope = "SIGNUP"
    body_forms = {"POST": SignUpBody}
    answers = {"POST": {201: SignedInShape}}
    codes = {"POST": ["name_taken"]}

    def post(self, request: Request) -> Response:
        """Create a guest who can play at once; without a `name` the server picks one."""
        signed_in = accounts.sign_up(name=self.body.get("name"))
        return self.answer(signed_in_shape(signed_in), status=201)


class Login(Endpoint):
    """Log in."""

    tag = "players"
    throttle_scope = "LOGIN"
    body_forms = {"POST": LoginBody}
    answers = {"POST": {200: SignedInShape}}
    codes = {"POST": ["invalid_credentials"]}

    def post(self, request: Request) -> Response:
        """Get a new token by name and password. A refusal does not say which one is wrong."""
        name, address = self.body["name"], throttles.client_address(request.META)
        check_guess(name, address)
        signed_in = accounts.log_in(name=name, password=self.body["password"], address=address)
        return self.answer(signed_in_shape(signed_in))


def check_guess(name: str, address: str) -> None:
    """Count one guess against an account; where others have used them up, one of a known place.

    Raises Throttled.
    """
    try:
        throttles.check_guess("name", names.key(name))
    except Throttled:
        if not queries.is_known_place(address, name=name):
            raise
        throttles.check_guess("place", f"{address} {names.key(name)}")


def check_own_guess(request: Request) -> None:
    """Count one guess that is sent with a token: those of others lock nobody out, not even those
    of a thief with another token of the account. Raises Throttled.
    """
    throttles.check_guess("token", str(request.auth))


class Logout(Endpoint):
    """Log out."""

    tag = "players"
    player_only = ["POST"]
    answers = {"POST": {204: None}}

    def post(self, request: Request) -> Response:
        """Revoke the token of this request. A guest who logs out cannot come back."""
        accounts.sign_off(token=str(request.auth))
        return self.answer(None, status=204)


class LogoutAll(Endpoint):
    """Log out everywhere."""

    tag = "players"
    player_only = ["POST"]
    answers = {"POST": {204: None}}

    def post(self, request: Request) -> Response:
        """Revoke all tokens and mailed keys. A guest who logs out cannot come back."""
        accounts.sign_off_everywhere(player_id=self.player_id)
        return self.answer(None, status=204)


class Password(Endpoint):
    """Change the password."""

    tag = "players"
    throttle_scope = "LOGIN"
    player_only = ["POST"]
    body_forms = {"POST": PasswordBody}
    answers = {"POST": {204: None}}
    codes = {"POST": ["invalid_credentials", "forbidden"]}

    def post(self, request: Request) -> Response:
        """Change the password; revoke mailed keys and all tokens except this request's."""
        check_own_guess(request)
        accounts.change_password(
            player_id=self.player_id,
            token=str(request.auth),
            old=self.body["old"],
            new=self.body["new"],
            address=throttles.client_address(request.META),
        )
        return self.answer(None, status=204)


class GiveEmail(Endpoint):
    """Set the mail address."""

    tag = "players"
    throttle_scope = "LOGIN"
    player_only = ["POST"]
    body_forms = {"POST": EmailBody}
    answers = {"POST": {202: None}}
    codes = {"POST": ["invalid_credentials", "forbidden"]}

    def post(self, request: Request) -> Response:
        """Replace the mail address, and mail a key that confirms the new one.

        The mail arrives within a minute or two; mails a day are limited for each address and each
        account. Keys from earlier mails keep working.
        """
        check_own_guess(request)
        throttles.check_mail(request.META)
        accounts.change_email(
            player_id=self.player_id, email=self.body["email"], password=self.body["password"]
        )
        return self.answer(None, status=202)


class ConfirmEmail(Endpoint):
    """Confirm the mail address."""

    tag = "players"
    throttle_scope = "LOGIN"
    player_only = ["POST"]
    body_forms = {"POST": EmailConfirmBody}
    answers = {"POST": {204: None}}
    codes = {"POST": ["invalid_credentials"]}

    def post(self, request: Request) -> Response:
        """Confirm the mail address with the key that was mailed there."""
        check_own_guess(request)
        confirmations.confirm(player_id=self.player_id, key=self.body["key"])
        return self.answer(None, status=204)


class Reset(Endpoint):
    """Ask for a new password."""

    tag = "players"
    throttle_scope = "LOGIN"
    body_forms = {"POST": ResetBody}
    answers = {"POST": {202: None}}

    def post(self, request: Request) -> Response:
        """Mail a key, within a minute or two, to the player with this confirmed address.

        The response is the same if there is no such player or the server sends no mail.
        """
        throttles.check_guess("email", self.body["email"])
        resets.ask(email=self.body["email"])
        return self.answer(None, status=202)


class ResetConfirm(Endpoint):
    """Set a new password by a mailed key."""

    tag = "players"
    throttle_scope = "LOGIN"
    body_forms = {"POST": ResetConfirmBody}
    answers = {"POST": {204: None}}
    codes = {"POST": ["invalid_credentials"]}

    def post(self, request: Request) -> Response:
        """Set the password with a mailed key, once; revoke all tokens of the player."""
        resets.confirm(
            key=self.body["key"],
            password=self.body["password"],
            address=throttles.client_address(request.META),
        )
        return self.answer(None, status=204)
