package @PACKAGE@

import (
	wildcaughtOS "os"
	wildcaughtStrconv "strconv"
	wildcaughtStrings "strings"
)

// Which mutant of a unit is on; read from the environment once.
var wildcaughtOn [@UNITS@]uint16
var wildcaughtReach *wildcaughtOS.File
var wildcaughtSeen [@UNITS@]bool
var wildcaughtReady = wildcaughtBegin()

func wildcaughtBegin() bool {
	for _, item := range wildcaughtStrings.Split(wildcaughtOS.Getenv("WILDCAUGHT_ON"), ",") {
		unit, mutant, found := wildcaughtStrings.Cut(item, ":")
		if u, err := wildcaughtStrconv.Atoi(unit); found && err == nil && u < len(wildcaughtOn) {
			if m, err := wildcaughtStrconv.Atoi(mutant); err == nil {
				wildcaughtOn[u] = uint16(m)
			}
		}
	}
	if path := wildcaughtOS.Getenv("WILDCAUGHT_REACH"); path != "" {
		wildcaughtReach, _ = wildcaughtOS.OpenFile(path, wildcaughtOS.O_WRONLY, 0)
	}
	return true
}

func wildcaughtOff(unit int) bool {
	if wildcaughtReach != nil && !wildcaughtSeen[unit] {
		wildcaughtSeen[unit] = true
		wildcaughtReach.WriteAt([]byte{1}, int64(unit))
	}
	return wildcaughtOn[unit] == 0
}

func wildcaughtIs(unit int, mutant uint16) bool {
	return wildcaughtOn[unit] == mutant
}
