#!/bin/sh
# Mutation testing of a change, for any CI. In the environment:
#   BASE      the branch or commit to compare with; if it is not set, wildcaught takes the branch that the pull request
#             goes to, where the CI system names it (GitHub, GitLab, Bitbucket, Azure, Jenkins, Buildkite, ...)
#   MAIN_RUN  the directory of results of the main branch, from a cache, if there is one
# Leaves report.html, mutation.sarif and mutation.md in wildcaught.out. Ends as `wildcaught test` does: 0 fine,
# 2 new survivors, everything else is a broken run and fails the job, too.
set -eu
main_run=${MAIN_RUN:-wildcaught.main}

set -- test --fail-on new-survivors
if [ -n "${BASE:-}" ]; then
    set -- "$@" --in-diff "$BASE..." --per-function "${PER_FUNCTION:-3}"
fi
if [ -f "$main_run/store.sqlite" ]; then
    set -- "$@" --against "$main_run"
fi
started=$(mktemp)
code=0
wildcaught "$@" || code=$?

# A diff without code has no results, and that is fine. Those of an earlier run are not reported as if they were new.
if [ -n "$(find wildcaught.out/store.sqlite -newer "$started" 2>/dev/null)" ]; then
    wildcaught report
    wildcaught report sarif -o wildcaught.out/mutation.sarif
    wildcaught report markdown -o wildcaught.out/mutation.md
fi
rm -f "$started"
exit "$code"
