//! Sides, and the kind that is expected.

use triangle::triangle;

#[test]
fn sides_00() {
    assert_eq!(triangle(1, 688, 1), 0);
}

#[test]
fn sides_01() {
    assert_eq!(triangle(1, 1, 2), 0);
}

#[test]
fn sides_02() {
    assert_eq!(triangle(2842, 2154, 688), 2);
}

#[test]
fn sides_03() {
    assert_eq!(triangle(1, 3, 2), 2);
}

#[test]
fn sides_04() {
    assert_eq!(triangle(2, 1, 3), 2);
}

#[test]
fn sides_05() {
    assert_eq!(triangle(1, 1, -703), 0);
}

#[test]
fn sides_06() {
    assert_eq!(triangle(688, -2710, 2842), 0);
}

#[test]
fn sides_07() {
    assert_eq!(triangle(-2710, -419, 1), 0);
}

#[test]
fn sides_08() {
    assert_eq!(triangle(1720, 1618, 1618), 1);
}

#[test]
fn sides_09() {
    assert_eq!(triangle(1172, 3, 3), 0);
}

#[test]
fn sides_10() {
    assert_eq!(triangle(1, 2, 1), 0);
}

#[test]
fn sides_11() {
    assert_eq!(triangle(1172, 1172, 2004), 1);
}

#[test]
fn sides_12() {
    assert_eq!(triangle(1, 1, 2004), 0);
}

#[test]
fn sides_13() {
    assert_eq!(triangle(1124, 1, 108), 0);
}

#[test]
fn sides_14() {
    assert_eq!(triangle(1172, 3, 2004), 0);
}

#[test]
fn sides_15() {
    assert_eq!(triangle(2, 3133, 1), 0);
}

#[test]
fn sides_16() {
    assert_eq!(triangle(1124, 1124, 1124), 3);
}

#[test]
fn sides_17() {
    assert_eq!(triangle(1, 1, 0), 0);
}

#[test]
fn sides_18() {
    assert_eq!(triangle(2, 0, 0), 0);
}

#[test]
fn sides_19() {
    assert_eq!(triangle(3133, 2, 3133), 1);
}

#[test]
fn sides_20() {
    assert_eq!(triangle(0, 0, 3133), 0);
}

#[test]
fn custom_0() {
    assert_eq!(triangle(0, 2, 0), 0);
}

#[test]
fn custom_1() {
    assert_eq!(triangle(2, 0, 2), 0);
}

#[test]
fn custom_2() {
    assert_eq!(triangle(0, 0, 0), 0);
}

#[test]
fn custom_3() {
    assert_eq!(triangle(0, 2, 2), 0);
}

#[test]
fn custom_4() {
    assert_eq!(triangle(0, 0, -2), 0);
}
