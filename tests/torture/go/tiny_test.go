package torture

import "testing"

func TestTwoIsDoubled(t *testing.T) {
	if answer(2) != 4 {
		t.Fatal("no")
	}
}

func TestFiveIsDoubled(t *testing.T) {
	if answer(5) != 10 {
		t.Fatal("no")
	}
}
