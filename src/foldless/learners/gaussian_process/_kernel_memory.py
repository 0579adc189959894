"""Dense kernels of all points: what they take, and where that is too much to begin with.

With n points a fit holds up to eight matrices of n² numbers at once (kernels of the views, eigenvectors and what they
are turned into), 64 n² bytes, and takes time that grows as n³.
"""

from foldless.errors import BadInput

MATRICES = 8  # of n x n double numbers, at the peak
MOST = 8e9  # bytes


def check_room(n_points: int, owner: str) -> None:
    """Refuse points whose kernels would take more than 8 GB."""
    needed = MATRICES * 8 * n_points**2
    if needed > MOST:
        most = int((MOST / (MATRICES * 8)) ** 0.5)
        raise BadInput(
            f"{owner} makes dense kernels of all {n_points:,} distinct rows, about {needed / 1e9:,.0f} GB: "
            f"use a random part of the pool, at most {most:,} rows with the labeled ones"
        )
