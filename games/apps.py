from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games import metrics as of_games
        from games import queries
        from pyramid_site import metrics, outages

        metrics.read.lookups.append(of_games.missing_deals)
        outages.playable.append(queries.there_is_a_deal_to_play)
        outages.last_played.append(queries.last_played)
