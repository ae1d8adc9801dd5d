"""The admin's name, and what its pages have in common."""

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property

from pyramid_site.api.throttles import client_address
from pyramid_site.models import Heartbeat, Outage

if TYPE_CHECKING:  # Django's own classes take no type arguments at run time
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
    RowPaginator = Paginator[Any]
else:
    ModelAdmin = admin.ModelAdmin
    TabularInline = admin.TabularInline
    RowPaginator = Paginator

admin.site.site_header = admin.site.site_title = "Pyramid Daily"
admin.site.index_title = "Operations"

LISTED = 10_000  # rows of a list that can be paged to; search and filters lead to the others


def address_of(request: HttpRequest) -> str | None:
    """Whose failed logins django-axes counts together."""
    return client_address(request.META) or None


class BoundedPaginator(RowPaginator):
    """Counts no further than it lists: to count a million rows takes seconds."""

    @cached_property
    def count(self) -> int:
        rows = cast(QuerySet[Any], self.object_list)
        return rows.order_by()[:LISTED].count()


class ReadOnlyAdmin(ModelAdmin):
    """Rows that only the game writes. What a list may be filtered by is named, the rest refused."""

    actions = None
    paginator = BoundedPaginator
    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER  # facets count the whole table
    sortable_by = ()  # only `ordering` has an index
    linked_by: tuple[str, ...] = ()  # fields that links to the list filter by

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Django would filter by any column, and so tell by halves what a page masks."""
        named = (*self.list_filter, *self.linked_by, self.date_hierarchy)
        return lookup.partition("__")[0] in named and super().lookup_allowed(lookup, value, request)


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    list_display = ("task", "beat_at")
    ordering = ("task",)


@admin.register(Outage)
class OutageAdmin(ReadOnlyAdmin):
    list_display = ("began_at", "ended_at")
    fields = list_display
    ordering = ("-id",)
