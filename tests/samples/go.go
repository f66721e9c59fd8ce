//go:build linux && !cgo

// Package queue has a bounded queue; "quotes" and 'apostrophes don't matter here.
package queue

import (
	"fmt"
	str "strings"
)

/* A block comment: not /* nested */

const (
	KB = 1 << (10 * (iota + 1))
	MB
	raw = `raw \ string with "quotes"
and a second line`
	esc = "tab \t quote \" slash \\ \u00e9 \x00"
)

var runes = []rune{'a', '\'', '\\', '"', '\n', 'é', '\u00e9', '\x7f'}
var reals = []float64{1., .5, 1.5e-3, 1e+10, 2.e5, 0x1.8p+3, 1_000.25, 0x.8p-2}
var ints = []int64{0, 0xFF_FF, 0b1010, 0o17, 017, 1_000_000}
var complexes = []complex128{1i, 2.5i, .5i, 1.i}

type Queue[T ~int | ~string, K comparable] struct {
	items map[K][]T `json:"items,omitempty"`
	ch    chan<- T
	in    <-chan struct{}
	größe int
}

type Reader interface {
	Read(p []byte) (n int, err error)
	fmt.Stringer
}

func (q *Queue[T, K]) Push(key K, values ...T) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("push %v: %w", key, r.(error))
		}
	}()
	for i, v := range values {
		q.items[key] = append(q.items[key][:i:i], v)
		q.ch <- v
	}
outer:
	for {
		select {
		case x, ok := <-q.in:
			if !ok && x == struct{}{} {
				break outer
			}
			continue outer
		default:
			goto done
		}
	}
done:
	mask := 0xff &^ 0x0f
	mask &^= 1; mask <<= 2; mask >>= 1; mask |= 1; mask ^= mask; mask %= 7; mask &= 3
	q.größe++
	q.größe--
	if mask >= 1 || mask <= -1 && mask != 0 {
		return nil
	}
	switch v := any(key).(type) {
	case string:
		fmt.Println(str.Repeat(v, 3) + "\n")
		fallthrough
	case nil, error:
		go q.Push(key, values...)
	}
	var arr = [...]string{2: "b", 0: `a`}
	ptr := &arr; _ = *ptr
	return func() error { return nil }()
}
