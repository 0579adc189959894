"""The memory that dense kernels of all points need, checked before anything is computed.

With n points a fit holds up to eight n × n matrices at once (kernels of the views, eigenvectors and their products),
64 n² bytes, and its time grows as n³.
"""

from foldless.errors import BadInput

MATRICES = 8  # of n x n double numbers, at the peak
MAX_BYTES = 8e9  # bytes


def check_room(n_points: int, owner: str) -> None:
    """Refuse points whose kernels would need more than 8 GB."""
    needed = MATRICES * 8 * n_points**2
    if needed > MAX_BYTES:
        most = int((MAX_BYTES / (MATRICES * 8)) ** 0.5)
        raise BadInput(
            f"{owner} needs dense kernels of all {n_points:,} distinct rows, about {needed / 1e9:,.0f} GB: "
            f"use a random part of the pool, at most {most:,} rows with the labeled ones"
        )
