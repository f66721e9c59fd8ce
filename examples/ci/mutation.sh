#!/bin/sh
# Mutation testing of a change, for any CI. In the environment:
#   BASE      the branch or commit to compare with (origin/main)
#   MAIN_RUN  the directory of results of the main branch, from a cache, if there is one
# Leaves report.html, mutation.sarif and mutation.md in wildcaught.out. Ends as `wildcaught test` does: 0 fine,
# 2 new survivors, everything else is a broken run and fails the job, too.
set -eu
base=${BASE:-origin/main}
main_run=${MAIN_RUN:-wildcaught.main}

set -- test --in-diff "$base" --fail-on new-survivors
if [ -f "$main_run/store.sqlite" ]; then
    set -- "$@" --against "$main_run"
fi
code=0
wildcaught "$@" || code=$?

# A diff without code has no results, and that is fine.
if [ -f wildcaught.out/store.sqlite ]; then
    wildcaught report
    wildcaught report sarif -o wildcaught.out/mutation.sarif
    wildcaught report markdown -o wildcaught.out/mutation.md
fi
exit "$code"
