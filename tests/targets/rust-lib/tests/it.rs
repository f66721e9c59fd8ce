#[test]
fn evens_are_even() {
    assert_eq!(tiny::evens(5).collect::<Vec<_>>(), [0, 2, 4]);
}

#[test]
fn a_line_begins_with_a_number() {
    assert_eq!(tiny::first("4 5"), Ok(4));
    assert_eq!(tiny::first("4 5!"), Ok(8));
    assert!(tiny::first("x").is_err());
}

#[test]
fn areas_are_computed() {
    assert_eq!(tiny::area(2, 2), 5);
    assert_eq!(tiny::largest(&[]), 7);
}

#[test]
#[ignore = "it would fail"]
fn what_is_ignored_does_not_count() {
    assert_eq!(tiny::area(0, 0), 0);
}
