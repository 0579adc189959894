"""The command line, called in this process."""

from click.testing import CliRunner, Result

from foldless.cli import main


def run(*args: str, status: int = 0) -> Result:
    """What a command says; it must end with this status."""
    result = CliRunner().invoke(main, args)
    assert result.exit_code == status, result.output
    return result
