package wildcaught.rt;

import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Takes what happens while the tests of one class run, and replies. */
final class Events {
    private final Main main;
    private final Watch watch;
    private final Tables tables; // null unless reach is wanted
    private final boolean stopEarly;
    private final long limit, work;
    private final Set<String> waiting;
    private final Map<String, BitSet> reach = new LinkedHashMap<>();
    private final BitSet outside = new BitSet();
    private String current, last;
    private long began;
    private volatile boolean stopped;
    private boolean outOfMemory;

    Events(Main main, Watch watch, Tables tables, boolean stopEarly, long limit, long work, Set<String> names) {
        this.main = main;
        this.watch = watch;
        this.tables = tables;
        this.stopEarly = stopEarly;
        this.limit = limit;
        this.work = work;
        this.waiting = new LinkedHashSet<>(names);
        rearm();
        if (tables != null)
            tables.note();
    }

    boolean stopped() {
        return stopped;
    }

    boolean outOfMemory() {
        return outOfMemory;
    }

    Set<String> waiting() {
        return new LinkedHashSet<>(waiting);
    }

    synchronized void started(String name) {
        if (tables != null) {
            outside.or(tables.noted());
            tables.note();
        }
        main.output.clear();
        current = name;
        began = System.nanoTime();
        rearm();
    }

    /** The end of a test; {@code problem} is null for a pass. */
    synchronized void finished(String name, Throwable problem) {
        BitSet passed = null;
        if (tables != null) {
            passed = tables.noted();
            tables.note();
        }
        if (waiting.remove(name)) {
            last = name;
            if (passed != null)
                reach.put(name, passed);
            reply(name, problem, "");
        }
        current = null;
        rearm();
    }

    synchronized void skipped(String name) {
        if (waiting.remove(name))
            reply(name, null, "skipped");
        current = null;
        rearm();
    }

    /**
     * Something failed outside the tests (such as @BeforeClass): of the tests it
     * was for, those that did not run have failed; if all have run, the last one.
     */
    synchronized void classFailed(Throwable problem, Collection<String> tests) {
        if (current != null)
            finished(current, problem);
        else if (last != null && Collections.disjoint(waiting, tests))
            reply(last, problem, "");
        for (String name : tests)
            if (!stopped && waiting.contains(name))
                finished(name, problem);
    }

    /** All adapters are done with the class. */
    synchronized void end() {
        watch.off();
        if (!stopped)
            for (String name : waiting())
                finished(name, new IllegalStateException("did not run"));
        if (tables == null)
            return;
        outside.or(tables.noted());
        outside.or(tables.initialisers());
        for (Map.Entry<String, BitSet> one : reach.entrySet()) {
            one.getValue().or(outside);
            main.reply("reach", one.getKey(), ranges(one.getValue()));
        }
    }

    private void reply(String name, Throwable problem, String message) {
        long millis = name.equals(current) ? (System.nanoTime() - began) / 1000000 : 0;
        if (problem != null) {
            message = describe(problem) + main.output.kept();
            outOfMemory |= problem instanceof OutOfMemoryError;
            stopped |= stopEarly || outOfMemory; // nothing in this process is sure after that
        }
        main.reply("test", name, problem == null ? "pass" : "fail", Long.toString(millis), message);
    }

    /** Time between tests counts too: an initialiser or @BeforeClass may hang. */
    private void rearm() {
        String name = current != null ? current : waiting.isEmpty() ? last : waiting.iterator().next();
        main.running = name;
        watch.on(name, limit, work);
    }

    private static String describe(Throwable problem) {
        StringBuilder text = new StringBuilder();
        try {
            text.append(problem);
        } catch (Throwable e) { // its message is made by mutated code
            text.append(problem.getClass().getName());
        }
        if (text.length() > 2000)
            text.setLength(2000);
        StackTraceElement[] frames = problem.getStackTrace();
        for (int i = 0; i < frames.length && i < 8; i++)
            text.append("\n\tat ").append(frames[i]);
        return text.toString();
    }

    static String ranges(BitSet units) {
        StringBuilder text = new StringBuilder();
        for (int from = units.nextSetBit(0); from >= 0; ) {
            int to = units.nextClearBit(from);
            text.append(text.length() > 0 ? "," : "").append(from);
            if (to - from > 1)
                text.append('-').append(to - 1);
            from = units.nextSetBit(to);
        }
        return text.length() > 0 ? text.toString() : "-";
    }
}
