from django.apps import AppConfig
from django.core import checks


class PyramidSiteConfig(AppConfig):
    """The wiring; installed for its commands, templates and checks."""

    name = "pyramid_site"
    verbose_name = "Server"

    def ready(self) -> None:
        from pyramid_site import append_only
        from pyramid_site.api import schema  # noqa: F401 registers how tokens are described

        checks.register(append_only.check_triggers, checks.Tags.database)
