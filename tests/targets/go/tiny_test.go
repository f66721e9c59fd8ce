package tiny

import "testing"

func TestSum(t *testing.T) {
	if total, err := Sum([]int{1, 2, 9}); total != 3 || err != nil {
		t.Fatal(total, err)
	}
	if _, err := Sum(nil); err != ErrEmpty {
		t.Fatal(err)
	}
}

func TestName(t *testing.T) {
	if Name(-1) != "debt" || Name(5) != "many" {
		t.Fatal(Name(-1), Name(5))
	}
}

func TestFind(t *testing.T) {
	if Find("abc", 'c') != 2 || Find("abc", 'x') != -1 {
		t.Fatal("not found")
	}
}

func TestSkipped(t *testing.T) {
	t.Skip("not here")
}
