"""The solver: whether a deal can be won, in how few steps, and how hard it is.

Values in, values out; only counts bound the work, and the same question has the same answer on
every machine. Importing this does not import Numba: asking does.
"""

from games.solver.derivation import (
    SOLVER_ID,
    Candidate,
    NoWinnableDealError,
    Progress,
    Tally,
    derive,
)
from games.solver.difficulty import PLAYOUTS, Difficulty, difficulty, rate
from games.solver.questions import SHORTEST_BUDGET, SOLVE_BUDGET, Shortest, analyse, shortest, solve

__all__ = [
    "PLAYOUTS",
    "SHORTEST_BUDGET",
    "SOLVER_ID",
    "SOLVE_BUDGET",
    "Candidate",
    "Difficulty",
    "NoWinnableDealError",
    "Progress",
    "Shortest",
    "Tally",
    "analyse",
    "derive",
    "difficulty",
    "rate",
    "shortest",
    "solve",
]
