from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games import metrics as of_games
        from pyramid_site import metrics

        metrics.read.lookups.append(of_games.missing_deals)
