package wildcaught.rt;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Threads that a request started and that go on after it: they run the code of
 * one mutant while the next is tested, and no thread can be ended safely.
 */
final class Leftovers {
    private static final long GRACE = 5; // milliseconds for threads that are about to end

    private final Set<Thread> before = alive();

    private static Set<Thread> alive() {
        Set<Thread> alive = Collections.newSetFromMap(new IdentityHashMap<>());
        Thread[] found = new Thread[2 * Thread.activeCount() + 16];
        int count = Thread.enumerate(found);
        for (int i = 0; i < count; i++)
            alive.add(found[i]);
        return alive;
    }

    /** To be asked by the thread of the request. */
    boolean any() {
        for (Thread thread : alive())
            if (!before.contains(thread) && thread != Thread.currentThread() && goesOn(thread))
                return true;
        return false;
    }

    private static boolean goesOn(Thread thread) {
        try {
            if (!isIdle(thread))
                thread.join(GRACE);
        } catch (InterruptedException e) {
            return true; // meant for a test that is over
        }
        return thread.isAlive() && !isIdle(thread);
    }

    /** A thread of a pool that waits for work: nobody is left who could give it some. */
    private static boolean isIdle(Thread thread) {
        boolean waits = false;
        for (StackTraceElement frame : thread.getStackTrace()) {
            String type = frame.getClassName(), method = frame.getMethodName();
            if (type.endsWith("DelayedWorkQueue"))
                return false; // work for later may be in it
            waits |= type.equals("java.util.concurrent.ThreadPoolExecutor") && method.equals("getTask");
            waits |= type.equals("java.util.concurrent.ForkJoinPool") && method.equals("awaitWork");
        }
        return waits;
    }
}
