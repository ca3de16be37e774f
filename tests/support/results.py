"""What commands say in JSON."""

import json


def result(run, *arguments, **more):
    """The JSON of a command that ends well, and says nothing else but its warnings."""
    status, out, error = run(*arguments, "-f", "json", **more)
    assert status == 0, error
    found = json.loads(out)
    assert error == "".join(f"warning: {each}\n" for each in found.get("warnings", ()))
    return found
