package tiny;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class TinyTest {
    @Test
    public void twoIsDoubled() {
        assertEquals(4, Tiny.answer(2));
    }

    @Test
    public void fiveIsDoubled() {
        assertEquals(10, Tiny.answer(5));
    }
}
