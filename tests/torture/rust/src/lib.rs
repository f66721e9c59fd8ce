mod hostile;
#[allow(unused_imports)]
use hostile::*;

pub fn answer(x: i32) -> i32 {
    calm();
    right(same(x))
}

#[cfg(test)]
mod tests {
    #[test]
    fn two_is_doubled() {
        assert_eq!(super::answer(2), 4);
    }

    #[test]
    fn five_is_doubled() {
        assert_eq!(super::answer(5), 10);
    }
}
