package wildcaught.rt;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The tables behind the guards of a Java target. Compiled with the target, in
 * Java 5 syntax, so that it fits whatever level the target asks for.
 */
public final class W {
    public static final int UNITS = @UNITS@;

    /** The original runs and its unit is noted; after that the switch is 0. */
    private static final char NOTING = 0xFFFF;

    /* Final, so that compiled code knows their addresses and lengths. */
    private static final char[] ON = new char[UNITS];
    private static final ByteBuffer REACH;

    /** Units that a class initialiser passed: it runs once, whichever test comes first. */
    private static final BitSet INITIALISERS = new BitSet();

    static {
        String reach = System.getenv("WILDCAUGHT_REACH");
        boolean file = reach != null && reach.length() > 0 && UNITS > 0;
        REACH = file ? map(reach) : ByteBuffer.allocate(UNITS);
        if (file)
            Arrays.fill(ON, NOTING);
        String on = System.getenv("WILDCAUGHT_ON");
        if (on != null)
            switchOn(on);
    }

    private W() {
    }

    /** Is no mutant of this unit on? */
    public static boolean off(int unit) {
        return ON[unit] == 0 || original(unit);
    }

    /** Is this mutant of the unit on? Asked only after {@link #off} said no. */
    public static boolean is(int unit, int mutant) {
        return ON[unit] == mutant;
    }

    private static boolean original(int unit) {
        REACH.put(unit, (byte) 1);
        char now = ON[unit];
        if (now != NOTING)
            return now == 0; // another thread noted it in the meantime, or a mutant
        if (inInitialiser())
            synchronized (INITIALISERS) {
                INITIALISERS.set(unit);
            }
        ON[unit] = 0;
        return true;
    }

    private static boolean inInitialiser() {
        for (StackTraceElement frame : new Throwable().getStackTrace())
            if (frame.getMethodName().equals("<clinit>"))
                return true;
        return false;
    }

    /** Switches on a list such as "17:2,40:1". */
    public static void switchOn(String list) {
        if (list.length() > 0)
            for (String one : list.split(",")) {
                int colon = one.indexOf(':');
                int mutant = Integer.parseInt(one.substring(colon + 1));
                if (mutant < 0 || mutant >= NOTING)
                    throw new IllegalArgumentException(one);
                ON[Integer.parseInt(one.substring(0, colon))] = (char) mutant;
            }
    }

    /** Switches off what {@link #switchOn} switched on. */
    public static void switchOff(String list) {
        if (list.length() > 0)
            for (String one : list.split(","))
                ON[Integer.parseInt(one.substring(0, one.indexOf(':')))] = 0;
    }

    /** From here on, notes the units passed; those noted before are forgotten. */
    public static void note() {
        for (int unit = 0; unit < UNITS; unit++) {
            REACH.put(unit, (byte) 0);
            if (ON[unit] == 0)
                ON[unit] = NOTING;
        }
    }

    /** The units passed since {@link #note}. */
    public static BitSet noted() {
        BitSet noted = new BitSet();
        for (int unit = 0; unit < UNITS; unit++)
            if (REACH.get(unit) != 0)
                noted.set(unit);
        return noted;
    }

    /** The units that class initialisers passed so far. */
    public static BitSet initialisers() {
        synchronized (INITIALISERS) {
            return (BitSet) INITIALISERS.clone();
        }
    }

    /* Points. The file of WILDCAUGHT_SPLIT has in words of 64 bits: the number of records, of points, the room
       for records, how often points were passed, and how often they may be, as whoever passes them for ever
       hangs; words for those who can fork; a mask for each point, of the operators that are possible there; and
       records of a point and a mask that was split off. */
    private static final long PASSED = 1L << 63;
    private static final int HEAD = 16;
    private static final LongBuffer POINTS = points();
    private static final ThreadLocal<Boolean> LEFT = new ThreadLocal<Boolean>();

    private static boolean initialising;

    /** Whether a class initialiser passed a point at which something could be exchanged. */
    public static boolean initialising() {
        return initialising;
    }

    /** How often points were passed. */
    public static long passed() {
        return POINTS == null ? 0 : POINTS.get(3);
    }

    private static LongBuffer points() {
        String path = System.getenv("WILDCAUGHT_SPLIT");
        if (path == null || path.length() == 0)
            return null;
        try {
            RandomAccessFile file = new RandomAccessFile(path, "rw");
            try {
                file.seek(8);
                long points = Long.reverseBytes(file.readLong());
                long words = HEAD + points + 2 * Long.reverseBytes(file.readLong());
                // For classes that are only initialised: nothing is exchanged, and nobody is told.
                if (Boolean.getBoolean("wildcaught.aside"))
                    return LongBuffer.allocate((int) (HEAD + points)).put(4, Long.MAX_VALUE);
                ByteBuffer bytes = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, words * 8);
                return bytes.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
            } finally {
                file.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException("wildcaught: cannot map " + path, e);
        }
    }

    /** Which operator to use: those that give the same stay together; goes on with the original or the first. */
    private static int pick(int point, int original, int[] same, int count) {
        if (POINTS == null)
            return original;
        synchronized (POINTS) {
            long passed = POINTS.get(3) + 1;
            POINTS.put(3, passed);
            if (passed > POINTS.get(4))
                throw new Error("wildcaught: points are passed for ever");
            long word = POINTS.get(HEAD + point), mask = word & ~PASSED;
            if (word == mask && (mask & ~(1L << original)) != 0)
                initialising |= inInitialiser();
            if ((mask & mask - 1) == 0) {
                POINTS.put(HEAD + point, PASSED | mask);
                return mask == 0 ? original : Long.numberOfTrailingZeros(mask);
            }
            int first = (mask >> original & 1) == 1 ? original : Long.numberOfTrailingZeros(mask);
            long chosen = group(mask, same, first, count), left = mask & ~chosen;
            while (left != 0) {
                long other = group(left, same, Long.numberOfTrailingZeros(left), count), records = POINTS.get(0);
                left &= ~other;
                if (records >= POINTS.get(2))
                    throw new IllegalStateException("wildcaught: no room for another split");
                int at = (int) (HEAD + POINTS.get(1) + 2 * records);
                POINTS.put(at, point);
                POINTS.put(at + 1, other);
                POINTS.put(0, records + 1);
            }
            POINTS.put(HEAD + point, PASSED | chosen);
            return first;
        }
    }

    private static long group(long left, int[] same, int of, int count) {
        long group = 0;
        for (int k = 0; k < count; k++)
            if ((left >> k & 1) == 1 && same[k] == same[of])
                group |= 1L << k;
        return group;
    }

    private static boolean truth(int point, int original, int bits, int count) {
        int[] same = new int[count];
        for (int k = 0; k < count; k++)
            same[k] = bits >> k & 1;
        return (bits >> pick(point, original, same, count) & 1) == 1;
    }

    /** Both divisions trap together; what they throw is the same. */
    private static int value(int point, int original, long[] values, boolean traps) {
        int[] same = new int[5];
        for (int k = 0; k < 5; k++) {
            same[k] = traps && k > 2 ? 5 : k;
            for (int other = 0; other < k && same[k] == k; other++)
                if (values[other] == values[k])
                    same[k] = other;
        }
        return pick(point, original, same, 5);
    }

    /** Makes operands that may be missing fail to compile: they are not looked at before they must be. */
    public static void both(int point, int original, boolean a, Boolean b) {
    }

    public static boolean both(int point, int original, boolean a, boolean b) {
        return truth(point, original, (a && b ? 1 : 0) | (a || b ? 2 : 0), 2);
    }

    /** Is the right operand evaluated? If not, {@link #left} is what comes out. */
    public static boolean lazy(int point, int original, boolean a) {
        int[] same = { a ? 1 : 0, a ? 0 : 1 };
        LEFT.set(a);
        return same[pick(point, original, same, 2)] == 1;
    }

    public static boolean left() {
        return LEFT.get();
    }

    /** Makes comparisons of objects fail to compile: they are of references, and there is no order. */
    public static void rel(int point, int original, Object a, Object b) {
    }

    /** The six comparisons. */
    public static boolean rel(int point, int original, int a, int b) {
        return truth(point, original, (a < b ? 1 : 0) | (a <= b ? 2 : 0) | (a > b ? 4 : 0) | (a >= b ? 8 : 0)
                | (a == b ? 16 : 0) | (a != b ? 32 : 0), 6);
    }

    /** The six comparisons. */
    public static boolean rel(int point, int original, long a, long b) {
        return truth(point, original, (a < b ? 1 : 0) | (a <= b ? 2 : 0) | (a > b ? 4 : 0) | (a >= b ? 8 : 0)
                | (a == b ? 16 : 0) | (a != b ? 32 : 0), 6);
    }

    /** The six comparisons. */
    public static boolean rel(int point, int original, double a, double b) {
        return truth(point, original, (a < b ? 1 : 0) | (a <= b ? 2 : 0) | (a > b ? 4 : 0) | (a >= b ? 8 : 0)
                | (a == b ? 16 : 0) | (a != b ? 32 : 0), 6);
    }

    public static boolean eq(int point, int original, int a, int b) {
        return truth(point, original, a == b ? 1 : 2, 2);
    }

    public static boolean eq(int point, int original, long a, long b) {
        return truth(point, original, a == b ? 1 : 2, 2);
    }

    public static boolean eq(int point, int original, double a, double b) {
        return truth(point, original, a == b ? 1 : 2, 2);
    }

    public static boolean eq(int point, int original, boolean a, boolean b) {
        return truth(point, original, a == b ? 1 : 2, 2);
    }

    public static boolean eq(int point, int original, Object a, Object b) {
        return truth(point, original, a == b ? 1 : 2, 2);
    }

    public static int arith(int point, int original, int a, int b) {
        boolean traps = b == 0;
        long[] v = { a + b, a - b, a * b, traps ? 0 : a / b, traps ? 0 : a % b };
        switch (value(point, original, v, traps)) {
        case 0: return a + b;
        case 1: return a - b;
        case 2: return a * b;
        case 3: return a / b;
        default: return a % b;
        }
    }

    public static long arith(int point, int original, long a, long b) {
        boolean traps = b == 0;
        long[] v = { a + b, a - b, a * b, traps ? 0 : a / b, traps ? 0 : a % b };
        switch (value(point, original, v, traps)) {
        case 0: return a + b;
        case 1: return a - b;
        case 2: return a * b;
        case 3: return a / b;
        default: return a % b;
        }
    }

    public static float arith(int point, int original, float a, float b) {
        boolean traps = false;
        long[] v = { Float.floatToRawIntBits(a + b), Float.floatToRawIntBits(a - b), Float.floatToRawIntBits(a * b), traps ? 0 : Float.floatToRawIntBits(a / b), traps ? 0 : Float.floatToRawIntBits(a % b) };
        switch (value(point, original, v, traps)) {
        case 0: return a + b;
        case 1: return a - b;
        case 2: return a * b;
        case 3: return a / b;
        default: return a % b;
        }
    }

    public static double arith(int point, int original, double a, double b) {
        boolean traps = false;
        long[] v = { Double.doubleToRawLongBits(a + b), Double.doubleToRawLongBits(a - b), Double.doubleToRawLongBits(a * b), traps ? 0 : Double.doubleToRawLongBits(a / b), traps ? 0 : Double.doubleToRawLongBits(a % b) };
        switch (value(point, original, v, traps)) {
        case 0: return a + b;
        case 1: return a - b;
        case 2: return a * b;
        case 3: return a / b;
        default: return a % b;
        }
    }

    /* Conditions that can be made of values. The file of WILDCAUGHT_VALUES has in words of 64 bits: how many are used,
       and for how many there is room; how often conditions were passed, and may be, as whoever passes them for ever
       hangs; then for every condition that was made of values its unit, how many values it has and what the original
       gives (the highest bit), and the values. */
    private static final LongBuffer VALUES = values();
    private static final long FULL = 1L << 62; // in the first word: not all is there
    private static final ThreadLocal<Boolean> HELD = new ThreadLocal<Boolean>();

    private static LongBuffer values() {
        String path = System.getenv("WILDCAUGHT_VALUES");
        if (path == null || path.length() == 0 || Boolean.getBoolean("wildcaught.aside"))
            return null;
        try {
            RandomAccessFile file = new RandomAccessFile(path, "rw");
            try {
                ByteBuffer bytes = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, file.length());
                return bytes.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
            } finally {
                file.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException("wildcaught: cannot map " + path, e);
        }
    }

    private static double number(Object value) {
        if (value instanceof Number)
            return ((Number) value).doubleValue();
        if (value instanceof Character)
            return ((Character) value).charValue();
        if (value instanceof Boolean)
            return ((Boolean) value).booleanValue() ? 1 : 0;
        return Double.NaN;
    }

    /** A condition that is not made of values; false if it is, and {@link #compare} is asked next. */
    public static boolean holds(int unit, boolean original) {
        if (VALUES != null)
            pass();
        if (off(unit))
            return original;
        HELD.set(Boolean.valueOf(original));
        return false;
    }

    private static void pass() {
        long passed = VALUES.get(2) + 1;
        VALUES.put(2, passed);
        if (passed > VALUES.get(3))
            throw new Error("wildcaught: it hangs");
    }

    /** Is a condition made of values? Only then they are looked at. */
    public static boolean compared(int unit) {
        return ON[unit] != 0 && ON[unit] != NOTING;
    }

    /** A condition that is made of two of the values. */
    public static boolean compare(int unit, Object[] values) {
        boolean original = HELD.get().booleanValue();
        double[] v = new double[values.length];
        for (int k = 0; k < v.length; k++)
            v[k] = number(values[k]);
        if (VALUES != null && VALUES.get(1) > 0)
            tell(unit, original, v);
        return composed(ON[unit] - 1, original, v);
    }

    private static void tell(int unit, boolean original, double[] v) {
        synchronized (VALUES) {
            int used = (int) VALUES.get(0);
            if (VALUES.get(0) >= FULL || used > VALUES.get(1) - 1 - v.length) {
                VALUES.put(0, FULL | used);
                return;
            }
            VALUES.put(4 + used, unit | (long) v.length << 32 | (original ? 1L << 63 : 0));
            for (int k = 0; k < v.length; k++)
                VALUES.put(5 + used + k, Double.doubleToRawLongBits(v[k]));
            VALUES.put(0, used + 1 + v.length);
        }
    }

    /** In the order of the numbers: the comparison, the pair of values, and how the original takes part. */
    private static boolean composed(int number, boolean original, double[] v) {
        int operator = number % 6, pairs = v.length * (v.length - 1) / 2, rest = number / 6;
        int pair = rest % pairs, first = 0;
        while (pair >= v.length - 1 - first)
            pair -= v.length - 1 - first++;
        double a = v[first], b = v[first + 1 + pair];
        if (a != a || b != b)
            return original;
        boolean holds = operator == 0 ? a < b : operator == 1 ? a <= b : operator == 2 ? a > b
                : operator == 3 ? a >= b : operator == 4 ? a == b : a != b;
        int form = rest / pairs;
        return form == 0 ? holds : form == 1 ? original && holds : original || holds;
    }

    private static ByteBuffer map(String path) {
        try {
            RandomAccessFile file = new RandomAccessFile(path, "rw");
            try {
                return file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, UNITS);
            } finally {
                file.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException("wildcaught: cannot map " + path, e);
        }
    }
}
