"""`python -m controller` is the `sabot` command, for a service that trusts no script.

Nothing else of ours is imported before the installed files were compared with what was signed."""

import sys

from controller.upkeep import integrity

if wrong := integrity.check_before_import(sys.argv[1:]):
    for each in wrong:
        sys.stderr.write(f"{each}\n")
    sys.stderr.write(
        "sabot: nothing else is done or started: this program is not as it was signed\n"
    )
    sys.exit(integrity.LOOK_FIRST if sys.argv[1] == "run" else 1)

from controller.cli import main

main()
