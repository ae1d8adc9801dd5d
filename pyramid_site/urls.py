"""Every address: the pages, the API, its documentation, the admin, and the health of the server."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView, TemplateView

from pyramid_site import health
from pyramid_site.api import problems
from pyramid_site.api.document import Document

urlpatterns = [
    path("", include("web.urls")),
    path("api/v1/", include("players.api.urls")),
    path("api/v1/", include("games.api.urls")),
    path("api/v1/", include("leaderboards.api.urls")),
    path("api/v1/schema", Document.as_view(), name="schema"),
    path("api/docs", TemplateView.as_view(template_name="docs.html")),
    path("errors/<str:code>", problems.explain),
    path("admin", RedirectView.as_view(url="/admin/")),
    path("admin/", admin.site.urls),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
]

handler400 = "pyramid_site.api.problems.bad_request"
handler403 = "pyramid_site.api.problems.forbidden"
handler404 = "pyramid_site.api.problems.not_found"
handler500 = "pyramid_site.api.problems.server_error"
