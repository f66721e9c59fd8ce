package wildcaught.rt;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

/** Ends the process when a test takes too long: no thread can be stopped safely. */
final class Watch extends Thread {
    private static final class Alarm {
        final String name;
        final long began = System.nanoTime(), limit, work, worked;

        Alarm(String name, long limit, long work, long worked) {
            this.name = name;
            this.limit = limit;
            this.work = work;
            this.worked = worked;
        }
    }

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Main main;
    private volatile Alarm alarm;
    private volatile Thread tests;

    Watch(Main main) {
        super("wildcaught watch");
        this.main = main;
        setDaemon(true);
        start();
    }

    void tests(Thread thread) {
        tests = thread;
    }

    /** Both in milliseconds: how long it may take, and how much processor time the thread of the tests may use. */
    void on(String name, long limit, long work) {
        boolean asleep = alarm == null;
        alarm = new Alarm(name, limit, work, worked());
        if (asleep)
            LockSupport.unpark(this);
    }

    void off() {
        alarm = null;
    }

    @Override
    public void run() {
        for (;;) {
            Alarm now = alarm;
            if (now == null) {
                LockSupport.park(this);
                continue;
            }
            long took = System.nanoTime() - now.began, left = now.limit * 1000000 - took;
            boolean busy = worked() - now.worked >= now.work * 1000000;
            if (left > 0 && !busy)
                LockSupport.parkNanos(this, Math.min(left, 20000000));
            else if (now == alarm)
                main.timeout(now.name, took / 1000000, busy, stack());
        }
    }

    private long worked() {
        return Math.max(0, THREADS.getThreadCpuTime(tests.getId()));
    }

    private String stack() {
        StringBuilder text = new StringBuilder("timed out");
        StackTraceElement[] frames = tests.getStackTrace();
        for (int i = 0; i < frames.length && i < 20; i++)
            text.append("\n\tat ").append(frames[i]);
        return text.toString();
    }
}
