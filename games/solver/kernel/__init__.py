"""The compiled part of the solver, and the only one that imports Numba and NumPy."""
