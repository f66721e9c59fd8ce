package wildcaught.rt;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
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
        for (StackTraceElement frame : new Throwable().getStackTrace())
            if (frame.getMethodName().equals("<clinit>")) {
                synchronized (INITIALISERS) {
                    INITIALISERS.set(unit);
                }
                break;
            }
        ON[unit] = 0;
        return true;
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
