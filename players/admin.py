"""What staff see of players."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from players import names
from players.models import Player, Token
from pyramid_site.admin import ModelAdmin, ReadOnlyAdmin


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


@admin.register(Player)
class PlayerAdmin(FoundByName, ReadOnlyAdmin):
    list_display = ("name", "guest", "joined_at", "id")
    fields = ("id", "name", "guest", "joined_at")
    ordering = ("-joined_at",)
    search_fields = ("name_key",)


@admin.register(Token)
class TokenAdmin(FoundByName, ReadOnlyAdmin):
    list_display = ("id", "player", "created_at", "expires_at")
    list_select_related = ("player",)
    fields = ("player", "created_at", "expires_at")
    ordering = ("-id",)
    linked_by = ("player",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Token]:
        return Token.objects.defer("digest")
