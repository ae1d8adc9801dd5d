"""The admin's name, and what its pages have in common."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.core.paginator import Paginator
from django.db.models import Model
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html

from pyramid_site import audit_log, rights
from pyramid_site.api.throttles import client_address
from pyramid_site.models import AuditEntry, Heartbeat, Outage

if TYPE_CHECKING:  # Django's own classes take no type arguments at run time
    TabularInline = admin.TabularInline[Any, Any]
    RowPaginator = Paginator[Any]
    Plain = admin.ModelAdmin[Any]
    StaffPages = UserAdmin[User]
else:
    TabularInline = admin.TabularInline
    RowPaginator = Paginator
    Plain = admin.ModelAdmin
    StaffPages = UserAdmin

admin.site.site_header = admin.site.site_title = "Pyramid Daily"
admin.site.index_title = "Operations"

LISTED = 10_000  # rows of a list that can be paged to; search and filters lead to the others


def address_of(request: HttpRequest) -> str | None:
    """Whose failed logins django-axes counts together."""
    return client_address(request.META) or None


class Audited(Plain):
    """A model whose changes are in the audit log as well as in Django's, which can be edited.

    What its list may be filtered by is named, the rest refused.
    """

    linked_by: tuple[str, ...] = ()  # fields that links to the list filter by

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        entry = super().log_addition(request, obj, message)
        self._record(request, "add", obj, entry.get_change_message())
        return entry

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        entry = super().log_change(request, obj, message)
        self._record(request, "change", obj, entry.get_change_message())
        return entry

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        rows: Iterable[Model] = list(queryset)
        for row in rows:
            self._record(request, "delete", row, "Deleted.")
        return super().log_deletions(request, queryset)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Nothing: a link that somebody sends fills in no form."""
        return {}

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Django would filter by any column, and so tell by halves what a page masks."""
        named = (*self.list_filter, *self.linked_by, self.date_hierarchy)
        return lookup.partition("__")[0] in named and super().lookup_allowed(lookup, value, request)

    @staticmethod
    def _record(request: HttpRequest, act: str, row: Model, why: str) -> None:
        audit_log.record(by=audit_log.staff(request.user), act=act, on=row, why=why)


class UncountedList(ChangeList):
    """Knows its page and whether another follows: to count a million rows takes seconds.

    It ends after so many rows that OFFSET stays quick.
    """

    uncounted = True

    def get_results(self, request: HttpRequest) -> None:
        start = (self.page_num - 1) * self.list_per_page
        end = start + self.list_per_page
        rows = list(self.queryset[start : end + 1]) if 0 <= start < LISTED else []
        if not rows and self.page_num != 1:
            raise IncorrectLookupParameters
        more = len(rows) > self.list_per_page and end < LISTED
        self.result_list = rows[: self.list_per_page]
        self.result_count = start + len(self.result_list) + more
        self.full_result_count = None
        self.can_show_all = self.show_admin_actions = False
        self.multi_page = more or start > 0
        self.paginator = RowPaginator(range(self.result_count), self.list_per_page)


class ReadOnlyAdmin(Audited):
    """Rows that only the game writes."""

    actions = None
    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER  # facets count the whole table
    sortable_by = ()  # only `ordering` has an index

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return UncountedList

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    list_display = ("task", "beat_at")
    ordering = ("task",)


@admin.register(Outage)
class OutageAdmin(ReadOnlyAdmin):
    list_display = ("began_at", "ended_at")
    fields = list_display
    ordering = ("-id",)


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    """Players have no name in it, but one by look-up, for as long as they have one."""

    list_display = ("at", "by_name", "act", "row", "why")
    fields = ("at", "by_name", "by_id", "act", "model", "key", "subject", "now", "why")
    linked_by = ("model", "key")
    search_fields = ("by_name__exact",)
    search_help_text = "The name of a member of staff"
    ordering = ("-id",)

    @admin.display(description="subject")
    def row(self, entry: AuditEntry) -> str:
        try:
            address = reverse(f"admin:{entry.model.replace('.', '_')}_change", args=[entry.key])
        except NoReverseMatch:  # of a model that is no more
            return entry.subject
        return format_html('<a href="{}">{}</a>', address, entry.subject)

    @admin.display(description="what it is called now")
    def now(self, entry: AuditEntry) -> str:
        found = audit_log.row_of(entry)
        return "nothing: it is no more" if found is None else str(found)


admin.site.unregister(User)
admin.site.unregister(Group)


class Granting(Audited):
    """Forms that grant rights: those alone that whoever fills them in holds."""

    def formfield_for_manytomany(self, db_field: Any, request: Any = None, **kwargs: Any) -> Any:
        held = rights.permissions_of(request.user).select_related("content_type")
        granted = rights.groups_of(request.user) if db_field.name == "groups" else held
        field = super().formfield_for_manytomany(db_field, request, **kwargs)
        if field is not None:
            field.queryset = granted
        return field

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and self._is_below(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and self._is_below(request, obj)

    @staticmethod
    def _is_below(request: HttpRequest, row: User | Group | None) -> bool:
        """Whether its rights may be changed; of no certain row each is asked about later."""
        match row:
            case User():
                return rights.may_change_user(request.user, row)
            case Group():
                return rights.may_change_group(request.user, row)
        return True


@admin.register(User)
class StaffAdmin(Granting, StaffPages):
    """Staff; what they were granted and by whom is in the audit log."""

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return () if request.user.is_superuser else ("is_superuser",)


@admin.register(Group)
class StaffGroupAdmin(Granting, GroupAdmin):
    """Groups of staff, those of a new installation and the operator's own."""
