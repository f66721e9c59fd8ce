#!/bin/bash
# A test run shared by eight Slurm tasks, without `wildcaught submit`: for those who write their own job scripts.
# Run it in the project, which all nodes must see: ./slurm.sh [options of wildcaught plan]
set -euo pipefail
parts=${PARTS:-8}

# What needs to see all mutants is decided once. Where building on this machine is not wanted: srun wildcaught plan.
wildcaught plan "$@"

# Logs go where results are: new files in the project would make it another one than that of the plan.
# Tasks are numbered from 1. With auto/N, some of them can be submitted again: sbatch --array=3,7 …
array=$(sbatch --parsable --array="1-$parts" --output=wildcaught.out/part-%a.log \
  --wrap "wildcaught test --plan --shard auto/$parts --quiet")

# afterany: a merge without all parts says which are missing, and ends with 5.
sbatch --dependency="afterany:$array" --output=wildcaught.out/merge.log \
  --wrap "wildcaught merge --min-score 60"
