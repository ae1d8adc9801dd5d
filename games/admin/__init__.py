"""What staff see of the game, and what they may do; each module registers its models."""

from games.admin import attempts, challenges, deals  # noqa: F401 they register
