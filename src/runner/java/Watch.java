package wildcaught.rt;

import java.util.concurrent.locks.LockSupport;

/** Ends the process when a test takes too long: no thread can be stopped safely. */
final class Watch extends Thread {
    private static final class Alarm {
        final String name;
        final long began = System.nanoTime(), limit;

        Alarm(String name, long limit) {
            this.name = name;
            this.limit = limit;
        }
    }

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

    void on(String name, long limitMillis) {
        boolean asleep = alarm == null;
        alarm = new Alarm(name, limitMillis);
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
            long left = now.limit * 1000000 - (System.nanoTime() - now.began);
            if (left > 0)
                LockSupport.parkNanos(this, Math.min(left, 20000000));
            else if (now == alarm)
                main.timeout(now.name, now.limit - left / 1000000, stack());
        }
    }

    private String stack() {
        StringBuilder text = new StringBuilder("past its limit");
        StackTraceElement[] frames = tests.getStackTrace();
        for (int i = 0; i < frames.length && i < 20; i++)
            text.append("\n\tat ").append(frames[i]);
        return text.toString();
    }
}
