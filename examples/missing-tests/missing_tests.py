#!/usr/bin/env python3
"""Turns missed mutants into tests, one after the other.

    missing_tests.py                        says what each missing test must check
    missing_tests.py --write COMMAND        gives that to COMMAND on standard input, which adds a test to the project
                                            (an editor, a script, a coding agent), and tests again what was missed

Arguments behind `--` go to every `wildcaught test` (`-- --in-diff main...`). Exit code: 0 if nothing is missed any more,
2 if mutants are still missed, else that of wildcaught: the project does not build, or a new test fails.
"""
import argparse
import json
import subprocess
import sys

# A run with missed mutants ends with 2, one with time-outs with 3, one without mutants with 0 or 5.
FINE = (0, 2, 3, 5)


def missed(options):
    """Runs the tests, and gives what they missed and is not accepted, the most worth a test first."""
    command = ["wildcaught", "test", "--json", "--quiet", *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode not in FINE:
        sys.exit(done.returncode)
    document = json.loads(done.stdout)
    if document["format"] != 1:
        sys.exit(f"this script reads format 1, not {document['format']}")
    return [one for one in document["survivors"] if not one.get("accepted")]


def task(one):
    """What a test must do, for whoever writes it."""
    lines = [f"{one['file']}:{one['line']}: no test fails for a change that {one['words']}."]
    if one.get("function"):
        lines.append(f"It is in the function {one['function']}.")
    lines.append(one["observe"])
    if one["tests"]:
        lines.append("Tests that execute it and pass: " + ", ".join(one["tests"][:5]))
    return "\n".join([*lines, "", one["diff"]])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", metavar="COMMAND", help="a shell command that adds a test; it reads the task")
    parser.add_argument("--rounds", type=int, default=10, help="ask for at most this many tests (10)")
    parser.add_argument("options", nargs="*", help="options of wildcaught test, after --")
    given = parser.parse_args()

    left = missed(given.options)
    if not given.write:
        print("\n\n".join(task(one) for one in left) or "nothing is missed")
        return 2 if left else 0
    tried = set()
    for _ in range(given.rounds):
        one = next((one for one in left if one["id"] not in tried), None)
        if one is None:
            break
        tried.add(one["id"])
        print(f"asking for a test: {one['file']}:{one['line']}, {one['words']}", flush=True)
        subprocess.run(given.write, shell=True, input=task(one), text=True, check=True)
        before = len(left)
        left = missed([*given.options, "--survived"])
        killed = all(other["id"] != one["id"] for other in left)
        print(f"{'killed now' if killed else 'still missed'}; {before} missed before, {len(left)} now", flush=True)
    return 2 if left else 0


if __name__ == "__main__":
    sys.exit(main())
