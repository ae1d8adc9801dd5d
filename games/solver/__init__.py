"""The solver: whether a deal can be won, in how few steps, and how hard it is.

Values in, values out; only counts bound the work, and the same question has the same answer on
every machine. Importing this does not import Numba: asking does.
"""

from games.solver.derivation import (
    MAX_CANDIDATES,
    SOLVER_ID,
    Candidate,
    CandidateCounts,
    NoWinnableDealError,
    Progress,
    derive,
)
from games.solver.difficulty import PLAYOUTS, Difficulty, difficulty, rate
from games.solver.questions import (
    SHORTEST_BUDGET,
    SOLVE_BUDGET,
    Answer,
    Shortest,
    Solution,
    analyse,
    shortest,
    solve,
)

__all__ = [
    "MAX_CANDIDATES",
    "PLAYOUTS",
    "SHORTEST_BUDGET",
    "SOLVER_ID",
    "SOLVE_BUDGET",
    "Answer",
    "Candidate",
    "CandidateCounts",
    "Difficulty",
    "NoWinnableDealError",
    "Progress",
    "Shortest",
    "Solution",
    "analyse",
    "derive",
    "difficulty",
    "rate",
    "shortest",
    "solve",
]
