import matplotlib
import pytest


@pytest.fixture(autouse=True)
def _figures_are_closed():
    matplotlib.use("Agg")
    yield
    import matplotlib.pyplot as plt

    plt.close("all")
