"""What staff see of players, and what they may do: give one another name, lock one out."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from players import accounts, names
from players.models import FormerName, Mail, Player, Token
from pyramid_site.acts import Act, Acting, Reason
from pyramid_site.admin import Audited, ReadOnlyAdmin


class FoundByName(Audited):
    """A list that is searched by a player's whole name, as names are compared, or by an id."""

    search_fields = ("player__name_key",)
    searched_ids: tuple[str, ...] = ("player",)
    search_help_text = "The whole name of a player, or an id"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        if not search_term:
            return queryset, False
        try:
            key = UUID(search_term.strip())
        except ValueError:
            return queryset.filter(self.named(search_term)), False
        wanted = Q()
        for field in self.searched_ids:
            wanted |= Q(**{field: key})
        return queryset.filter(wanted), False

    def named(self, text: str) -> Q:
        """Exactly, so that an index finds it: many names begin alike."""
        player = Player.objects.filter(name_key=names.key(text)).first()
        return Q(player=player) if player else Q(pk__in=[])


class Naming(Reason):
    """Another name."""

    name = forms.CharField(max_length=200, help_text="3 to 24 characters.")
    field_order = ("name", "reason")


RENAME = Act(
    name="rename",
    label="Rename",
    explanation="The name that is taken away is nobody's for 90 days, this player's neither.",
    permission="players.rename_player",
    do=lambda player, by, said: accounts.rename(
        player_id=player.pk, name=said["name"], by_staff=True
    ),
    done="The player has another name.",
    form=Naming,
    fits=lambda player: player.gone_at is None,
)
LOCK = Act(
    name="lock",
    label="Lock",
    explanation="The player cannot act any more: every token of it is refused until it is unlocked."
    " What it has played stays on its boards.",
    permission="players.lock_player",
    do=lambda player, by, said: accounts.lock(player_id=player.pk),
    done="The player is locked.",
    fits=lambda player: player.locked_at is None,
)
UNLOCK = Act(
    name="unlock",
    label="Unlock",
    explanation="The player can act again, with the tokens that it had.",
    permission="players.lock_player",
    do=lambda player, by, said: accounts.unlock(player_id=player.pk),
    done="The player is unlocked.",
    fits=lambda player: player.locked_at is not None,
)


@admin.register(Player)
class PlayerAdmin(FoundByName, Acting, ReadOnlyAdmin):
    list_display = ("name", "joined_at", "claimed_at", "gone_at", "locked_at", "id")
    fields = ("id", "name", "joined_at", "claimed_at", "gone_at", "locked_at", "attempts")
    ordering = ("-joined_at",)
    acts = (RENAME, LOCK, UNLOCK)
    search_fields = ("name_key",)
    searched_ids = ("pk",)
    search_help_text = "The beginning of a name, or an id"

    def named(self, text: str) -> Q:
        return Q(name_key__startswith=names.key(text))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        return Player.objects.defer("password", "email")

    @admin.display
    def attempts(self, player: Player) -> SafeString:
        lists = "admin:games_attempt_changelist", "admin:leaderboards_result_changelist"
        links = ((reverse(name), player.pk, name.split("_")[1]) for name in lists)
        return format_html_join(", ", '<a href="{}?player__exact={}">all {}s</a>', links)


@admin.register(FormerName)
class FormerNameAdmin(ReadOnlyAdmin):
    list_display = ("name_key", "freed_at")
    fields = ("name_key", "player", "freed_at")
    ordering = ("-freed_at",)


@admin.register(Token)
class TokenAdmin(FoundByName, ReadOnlyAdmin):
    list_display = ("id", "player", "created_at", "expires_at")
    list_select_related = ("player",)
    fields = ("player", "created_at", "expires_at")
    ordering = ("-id",)
    linked_by = ("player",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Token]:
        return Token.objects.defer("digest")


@admin.register(Mail)
class MailAdmin(FoundByName, ReadOnlyAdmin):
    list_display = ("id", "kind", "state", "tries", "error", "asked_at", "due_at")
    fields = ("kind", "player", "state", "tries", "error", "asked_at", "due_at", "expires_at")
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Mail]:
        return Mail.objects.defer("email", "recipient", "digest")
