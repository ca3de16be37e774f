"""`caesura list`: what there is."""

import click


@click.command("list")
@click.argument("what", type=click.Choice(["measures", "formats"]))
def listing(what: str) -> None:
    """Say what measures or formats there are, with one line each."""
    from caesura.formats import FORMATS
    from caesura.measures import MEASURES

    lines = {
        "measures": {
            name: (measure.__doc__ or "").splitlines()[0] for name, measure in MEASURES.items()
        },
        "formats": FORMATS,
    }[what]
    width = max(map(len, lines))
    for name, line in lines.items():
        click.echo(f"{name:<{width}}  {line}")
