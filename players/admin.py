"""What staff see of players, and the one thing that they may do: give one another name."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from players import accounts, names
from players.models import FormerName, Player, ResetKey, ResetRequest, Token
from pyramid_site.admin import ModelAdmin, ReadOnlyAdmin
from pyramid_site.refusals import Refusal


class FoundByName(ModelAdmin):
    """A list that is searched by the beginning of a player's name, as names are compared."""

    search_fields = ("player__name_key",)
    search_help_text = "The beginning of a player's name"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        if not search_term:
            return queryset, False
        start = {f"{self.search_fields[0]}__startswith": names.key(search_term)}
        return queryset.filter(**start), False


class PlayerForm(forms.ModelForm):  # type: ignore[type-arg] # it takes none at run time
    """Another name for a player. It is given when the form is checked, or refused in its words."""

    @transaction.atomic
    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name == self.initial["name"]:
            return name
        try:
            return accounts.rename(player_id=self.instance.pk, name=name, by_staff=True).name
        except Refusal as refusal:
            raise ValidationError(refusal.detail, refusal.code) from refusal


@admin.register(Player)
class PlayerAdmin(FoundByName, ReadOnlyAdmin):
    """A name that staff took away is nobody's for 90 days, its former player's neither."""

    form = PlayerForm
    list_display = ("name", "joined_at", "claimed_at", "gone_at", "id")
    fields = ("id", "name", "joined_at", "claimed_at", "gone_at")
    readonly_fields = ("id", "joined_at", "claimed_at", "gone_at")
    ordering = ("-joined_at",)
    search_fields = ("name_key",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        return Player.objects.defer("password", "email")

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        if obj is None or obj.gone_at:
            return False
        return ModelAdmin.has_change_permission(self, request, obj)

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Nothing: the form's check gave the name, in the transaction of this page."""


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


@admin.register(ResetRequest)
class ResetRequestAdmin(ReadOnlyAdmin):
    list_display = ("id", "asked_at")
    fields = ("asked_at",)
    ordering = ("-asked_at",)


@admin.register(ResetKey)
class ResetKeyAdmin(FoundByName, ReadOnlyAdmin):
    list_display = ("player", "made_at")
    list_select_related = ("player",)
    fields = ("player", "made_at")
    ordering = ("-made_at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ResetKey]:
        return ResetKey.objects.defer("digest")
