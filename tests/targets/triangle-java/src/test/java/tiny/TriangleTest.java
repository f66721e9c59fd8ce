package tiny;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class TriangleTest {
    @Test
    public void test00() {
        assertEquals(0, Triangle.triangle(1, 688, 1));
    }

    @Test
    public void test01() {
        assertEquals(0, Triangle.triangle(1, 1, 2));
    }

    @Test
    public void test02() {
        assertEquals(2, Triangle.triangle(2842, 2154, 688));
    }

    @Test
    public void test03() {
        assertEquals(2, Triangle.triangle(1, 3, 2));
    }

    @Test
    public void test04() {
        assertEquals(2, Triangle.triangle(2, 1, 3));
    }

    @Test
    public void test05() {
        assertEquals(0, Triangle.triangle(1, 1, -703));
    }

    @Test
    public void test06() {
        assertEquals(0, Triangle.triangle(688, -2710, 2842));
    }

    @Test
    public void test07() {
        assertEquals(0, Triangle.triangle(-2710, -419, 1));
    }

    @Test
    public void test08() {
        assertEquals(1, Triangle.triangle(1720, 1618, 1618));
    }

    @Test
    public void test09() {
        assertEquals(0, Triangle.triangle(1172, 3, 3));
    }

    @Test
    public void test10() {
        assertEquals(0, Triangle.triangle(1, 2, 1));
    }

    @Test
    public void test11() {
        assertEquals(1, Triangle.triangle(1172, 1172, 2004));
    }

    @Test
    public void test12() {
        assertEquals(0, Triangle.triangle(1, 1, 2004));
    }

    @Test
    public void test13() {
        assertEquals(0, Triangle.triangle(1124, 1, 108));
    }

    @Test
    public void test14() {
        assertEquals(0, Triangle.triangle(1172, 3, 2004));
    }

    @Test
    public void test15() {
        assertEquals(0, Triangle.triangle(2, 3133, 1));
    }

    @Test
    public void test16() {
        assertEquals(3, Triangle.triangle(1124, 1124, 1124));
    }

    @Test
    public void test17() {
        assertEquals(0, Triangle.triangle(1, 1, 0));
    }

    @Test
    public void test18() {
        assertEquals(0, Triangle.triangle(2, 0, 0));
    }

    @Test
    public void test19() {
        assertEquals(1, Triangle.triangle(3133, 2, 3133));
    }

    @Test
    public void test20() {
        assertEquals(0, Triangle.triangle(0, 0, 3133));
    }

    @Test
    public void testCustom0() {
        assertEquals(0, Triangle.triangle(0, 2, 0));
    }

    @Test
    public void testCustom1() {
        assertEquals(0, Triangle.triangle(2, 0, 2));
    }

    @Test
    public void testCustom2() {
        assertEquals(0, Triangle.triangle(0, 0, 0));
    }

    @Test
    public void testCustom3() {
        assertEquals(0, Triangle.triangle(0, 2, 2));
    }

    @Test
    public void testCustom4() {
        assertEquals(0, Triangle.triangle(0, 0, -2));
    }
}
