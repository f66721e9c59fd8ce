// Package tiny has things that are hard to switch.
package tiny

import "errors"

var limit = 3 + 1

// ErrEmpty says that there was nothing.
var ErrEmpty = errors.New("empty")

// Sum adds what is below the limit.
func Sum(numbers []int) (total int, err error) {
	if len(numbers) == 0 {
		return 0, ErrEmpty
	}
	for _, number := range numbers {
		if number >= limit {
			continue
		}
		total += number
	}
	return
}

// Name names a number.
func Name(n int) string {
	switch {
	case n < 0:
		return "debt"
	case n == 0:
		return "none"
	default:
		rest := func() string { return "many" }
		return rest()
	}
}

// Find gives where a byte is.
func Find(text string, wanted byte) int {
	for at := 0; at < len(text); at++ {
		if text[at] == wanted {
			return at
		}
	}
	return -1
}
