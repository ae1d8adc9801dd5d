from django.apps import AppConfig


class PyramidSiteConfig(AppConfig):
    """The wiring; installed for its commands, templates and checks."""

    name = "pyramid_site"

    def ready(self) -> None:
        from pyramid_site.api import schema  # noqa: F401 registers its extension
