"""Shell completion: the script that makes a shell ask for it."""

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from foldless.errors import BadInput

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_FOLDLESS_COMPLETE"


@click.command()
@click.argument("shell", required=False, metavar="[bash|zsh|fish]")
@click.pass_context
def completion(context: click.Context, shell: str | None) -> None:
    """Print the script that completes commands, options, files and columns in a shell.

    Without a name it is for the shell of $SHELL.

    \b
    Examples:
      foldless completion bash >> ~/.bashrc
      foldless completion zsh >> ~/.zshrc
      foldless completion fish > ~/.config/fish/completions/foldless.fish
    """
    named = shell or Path(os.environ.get("SHELL", "")).name
    script = get_completion_class(named) if named in SHELLS else None
    if script is None:
        raise BadInput(f"there is no completion for the shell {named!r}: name one of {', '.join(SHELLS)}")
    click.echo(script(context.find_root().command, {}, "foldless", VARIABLE).source())
