package torture

func answer(x int) int {
	calm()
	return right(same(x))
}
