//! What kind of triangle has these sides: 0 none, 1 isosceles, 2 scalene, 3 equilateral.

/// Conditions on sums are worked out before they are combined: nothing depends on which of them would have
/// been looked at.
pub fn triangle(a: i32, b: i32, c: i32) -> i32 {
    if a <= 0 || b <= 0 || c <= 0 {
        return 0;
    }
    let mut kind = 0;
    if a == b {
        kind = kind + 1;
    }
    if a == c {
        kind = kind + 2;
    }
    if b == c {
        kind = kind + 3;
    }
    if kind == 0 {
        let ab = a + b < c;
        let ac = a + c < b;
        let bc = b + c < a;
        if ab || ac || bc {
            return 0;
        }
        return 2;
    }
    if kind > 3 {
        return 3;
    }
    let ab = a + b > c;
    if kind == 1 && ab {
        return 1;
    }
    let ac = a + c > b;
    if kind == 2 && ac {
        return 1;
    }
    let bc = b + c > a;
    if kind == 3 && bc {
        return 1;
    }
    0
}
