"""What is stored of the game."""

from games.models.attempts import Attempt as Attempt
from games.models.attempts import AttemptStatus as AttemptStatus
from games.models.attempts import LoggedMove as LoggedMove
from games.models.challenges import Challenge as Challenge
from games.models.challenges import WeekdayTarget as WeekdayTarget
from games.models.deals import GRACE as GRACE
from games.models.deals import OPEN_FOR as OPEN_FOR
from games.models.deals import DailyDeal as DailyDeal
from games.models.deals import Seal as Seal
from games.models.deals import Voiding as Voiding
from games.models.makings import DealMaking as DealMaking
from games.models.makings import DealOrder as DealOrder
from games.models.makings import MakingOutcome as MakingOutcome
from games.models.makings import Source as Source
