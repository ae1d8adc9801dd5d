"""Acts: what staff do to a row beyond editing it, each on a page of its own and with a reason."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse

from pyramid_site import audit_log
from pyramid_site.audit_log import Staff
from pyramid_site.refusals import Refusal

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


STALE = "It is not as it was when you opened this page, and this does not fit it any more."


class Reason(forms.Form):
    """What every act asks for."""

    reason = forms.CharField(
        max_length=200,
        widget=forms.TextInput(attrs={"class": "vTextField", "autocomplete": "off"}),
        help_text="It is kept in the audit log for good: name no player.",
    )


@dataclass(frozen=True)
class Act:
    """Something that may be done to a row of a model: its button, its page, and what it calls."""

    name: str
    """In addresses and in the audit log."""
    label: str
    explanation: str
    permission: str
    do: Callable[[Any, Staff, Mapping[str, Any]], object]
    """Calls one service with the row, who acts, and what the form holds."""
    done: str
    form: type[forms.Form] = Reason
    linked: tuple[str, ...] = ()
    """What a link to its page may fill in; the page says so. A reason is always one's own."""
    fits: Callable[[Any], bool] = lambda row: True

    def open_to(self, request: HttpRequest, row: Any) -> bool:
        return request.user.has_perm(self.permission) and self.fits(row)

    def carry_out(self, row: Any, by: Staff, data: Mapping[str, Any]) -> None:
        """Does it. Raises Refusal: the service's, or else where it does not fit any more."""
        fits = self.fits(row)
        self.do(row, by, data)
        if not fits:
            raise Refusal("forbidden", STALE)


class Acting(ModelAdmin):
    """A model whose rows have acts: a button for each on the row's page."""

    acts: tuple[Act, ...] = ()
    change_form_template = "admin/acting.html"

    def get_urls(self) -> list[Any]:
        pages = [
            path(
                f"<path:object_id>/{act.name}/",
                self.admin_site.admin_view(partial(self._page, act=act)),
                name=f"{self.opts.app_label}_{self.opts.model_name}_{act.name}",
            )
            for act in self.acts
        ]
        return [*pages, *super().get_urls()]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        row = self.get_object(request, unquote(object_id))
        acts = [act for act in self.acts if row is not None and act.open_to(request, row)]
        context = {"acts": acts, **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    def _page(self, request: HttpRequest, object_id: str, *, act: Act) -> HttpResponse:
        row = self.get_object(request, unquote(object_id))
        if not request.user.has_perm(act.permission):
            raise PermissionDenied
        if row is None:
            raise Http404
        linked = {name: request.GET[name] for name in act.linked if name in request.GET}
        form = act.form(request.POST or None, initial=linked)
        if request.method == "POST" and form.is_valid():
            by = audit_log.staff(request.user)
            try:
                with transaction.atomic():
                    act.carry_out(row, by, form.cleaned_data)
                    audit_log.record(by=by, act=act.name, on=row, why=form.cleaned_data["reason"])
            except Refusal as refusal:
                form.add_error(None, refusal.detail)
            else:
                messages.success(request, act.done)
                names = self.opts.app_label, self.opts.model_name
                return HttpResponseRedirect(
                    reverse("admin:{}_{}_change".format(*names), args=[row.pk])
                )
        context = {
            **self.admin_site.each_context(request),
            "title": act.label,
            "act": act,
            "form": form,
            "linked": linked,
            "original": row,
            "opts": self.opts,
            "has_view_permission": self.has_view_permission(request, row),
        }
        return TemplateResponse(request, "admin/act.html", context)
