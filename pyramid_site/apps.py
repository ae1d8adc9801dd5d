from django.apps import AppConfig
from django.core.checks import Tags, register


class PyramidSiteConfig(AppConfig):
    """The wiring; installed for its commands, templates and checks."""

    name = "pyramid_site"
    verbose_name = "Server"

    def ready(self) -> None:
        from pyramid_site import append_only, checks  # noqa: F401 registers its checks
        from pyramid_site.api import schema  # noqa: F401 registers its extension

        register(append_only.check_triggers, Tags.database)
