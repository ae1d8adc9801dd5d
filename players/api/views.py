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
    """A player. A `guest` has its tokens alone: with the last of them it is gone for ever."""

    id: UUID
    name: str
    guest: bool
    joined_at: Timestamp


class SignedInShape(TypedDict):
    """A player and a token for it. The token is shown here and never again.

    Nothing else leads back to a guest: who logs one out, or loses its token, has lost the player
    with all that it has played. `POST /me/claim` gives it a password.
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
    """An address that mail can be sent to, in the form in which it is stored."""

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
    """Signing up."""

    tag = "players"
    throttle_scope = "SIGNUP"
    body_forms = {"POST": SignUpBody}
    answers = {"POST": {201: SignedInShape}}
    codes = {"POST": ["name_taken"]}

    def post(self, request: Request) -> Response:
        """A new guest who can play at once; without a `name` the server makes a friendly one."""
        signed_in = accounts.sign_up(name=self.body.get("name"))
        return self.answer(signed_in_shape(signed_in), status=201)


class Login(Endpoint):
    """Signing in."""

    tag = "players"
    throttle_scope = "LOGIN"
    body_forms = {"POST": LoginBody}
    answers = {"POST": {200: SignedInShape}}
    codes = {"POST": ["invalid_credentials"]}

    def post(self, request: Request) -> Response:
        """A new token for a player with a password. Which of the two is wrong is not said."""
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
    """Signing off."""

    tag = "players"
    player_only = ["POST"]
    answers = {"POST": {204: None}}

    def post(self, request: Request) -> Response:
        """The token that this is sent with is dead. A guest who logs out is gone for ever."""
        accounts.sign_off(token=str(request.auth))
        return self.answer(None, status=204)


class LogoutAll(Endpoint):
    """Signing off everywhere."""

    tag = "players"
    player_only = ["POST"]
    answers = {"POST": {204: None}}

    def post(self, request: Request) -> Response:
        """All tokens and mailed keys are dead. A guest who logs out is gone for ever."""
        accounts.sign_off_everywhere(player_id=self.player_id)
        return self.answer(None, status=204)


class Password(Endpoint):
    """Another password."""

    tag = "players"
    throttle_scope = "LOGIN"
    player_only = ["POST"]
    body_forms = {"POST": PasswordBody}
    answers = {"POST": {204: None}}
    codes = {"POST": ["invalid_credentials", "forbidden"]}

    def post(self, request: Request) -> Response:
        """Sets another password; mailed keys and all tokens but the one sent with this are dead."""
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
    """A mail address."""

    tag = "players"
    throttle_scope = "LOGIN"
    player_only = ["POST"]
    body_forms = {"POST": EmailBody}
    answers = {"POST": {202: None}}
    codes = {"POST": ["invalid_credentials", "forbidden"]}

    def post(self, request: Request) -> Response:
        """Takes an address in the place of the former one, and mails a key that confirms it.

        The key comes within a minute or two; there are few such mails a day to one address and
        for one account. A key of an earlier mail works as well.
        """
        check_own_guess(request)
        throttles.check_mail(request.META)
        accounts.change_email(
            player_id=self.player_id, email=self.body["email"], password=self.body["password"]
        )
        return self.answer(None, status=202)


class ConfirmEmail(Endpoint):
    """The key to a mail address."""

    tag = "players"
    throttle_scope = "LOGIN"
    player_only = ["POST"]
    body_forms = {"POST": EmailConfirmBody}
    answers = {"POST": {204: None}}
    codes = {"POST": ["invalid_credentials"]}

    def post(self, request: Request) -> Response:
        """Confirms the player's address with a key that was mailed there."""
        check_own_guess(request)
        confirmations.confirm(player_id=self.player_id, key=self.body["key"])
        return self.answer(None, status=204)


class Reset(Endpoint):
    """A forgotten password."""

    tag = "players"
    throttle_scope = "LOGIN"
    body_forms = {"POST": ResetBody}
    answers = {"POST": {202: None}}

    def post(self, request: Request) -> Response:
        """Mails a key, within a minute or two, to the player who has confirmed this address.

        The answer is the same where there are none, and where the server sends no mail.
        """
        throttles.check_guess("email", self.body["email"])
        resets.ask(email=self.body["email"])
        return self.answer(None, status=202)


class ResetConfirm(Endpoint):
    """The key to a forgotten password."""

    tag = "players"
    throttle_scope = "LOGIN"
    body_forms = {"POST": ResetConfirmBody}
    answers = {"POST": {204: None}}
    codes = {"POST": ["invalid_credentials"]}

    def post(self, request: Request) -> Response:
        """Sets the password with a mailed key, once; all tokens of the player are dead."""
        resets.confirm(
            key=self.body["key"],
            password=self.body["password"],
            address=throttles.client_address(request.META),
        )
        return self.answer(None, status=204)
