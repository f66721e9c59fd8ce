/* What kind of triangle has these sides: 0 none, 1 isosceles, 2 scalene, 3 equilateral.
   Conditions on sums are worked out before they are combined: nothing depends on
   which of them would have been looked at. */
int triangle(int a, int b, int c)
{
    int kind = 0;
    if (a <= 0 || b <= 0 || c <= 0)
        return 0;
    if (a == b)
        kind = kind + 1;
    if (a == c)
        kind = kind + 2;
    if (b == c)
        kind = kind + 3;
    if (kind == 0) {
        int ab = a + b < c;
        int ac = a + c < b;
        int bc = b + c < a;
        if (ab || ac || bc)
            return 0;
        return 2;
    }
    if (kind > 3)
        return 3;
    int ab = a + b > c;
    if (kind == 1 && ab)
        return 1;
    int ac = a + c > b;
    if (kind == 2 && ac)
        return 1;
    int bc = b + c > a;
    if (kind == 3 && bc)
        return 1;
    return 0;
}
