package tiny;

import static tiny.Hostile.*;

public class Tiny {
    public static int answer(int x) {
        calm();
        return right(same(x));
    }
}
