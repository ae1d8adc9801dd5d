from django.apps import AppConfig


class WebConfig(AppConfig):
    """The browser client: pages, styles and modules. What it knows comes from the API."""

    name = "web"
    verbose_name = "Browser client"
