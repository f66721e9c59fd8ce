package wildcaught.rt;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.testng.IInvokedMethod;
import org.testng.IInvokedMethodListener;
import org.testng.ITestContext;
import org.testng.ITestListener;
import org.testng.ITestNGListener;
import org.testng.ITestResult;
import org.testng.SkipException;
import org.testng.TestNG;
import org.testng.annotations.Test;

/** TestNG. A class is run as a whole, since its tests may depend on each other; what was not asked for is not told. */
final class RunnerNG implements Adapter {
    @Override
    public boolean handles(Class<?> type) {
        return !Modifier.isAbstract(type.getModifiers()) && !type.isInterface() && !list(type).isEmpty();
    }

    @Override
    public List<String> list(Class<?> type) {
        Set<String> names = new LinkedHashSet<>();
        for (Method method : type.getMethods()) {
            Test own = method.getAnnotation(Test.class);
            Test whole = method.getDeclaringClass().getAnnotation(Test.class);
            boolean plain = whole != null && own == null && !configures(method) && method.getDeclaringClass() != Object.class
                && method.getReturnType() == void.class && !Modifier.isStatic(method.getModifiers());
            boolean on = (own == null || own.enabled()) && (whole == null || whole.enabled());
            if (on && (own != null || plain))
                names.add(type.getName() + "#" + method.getName());
        }
        List<String> sorted = new ArrayList<>(names);
        java.util.Collections.sort(sorted); // reflection has no order of its own
        return sorted;
    }

    /** Whether a method has an annotation of TestNG that makes it something else than a test. */
    private static boolean configures(Method method) {
        for (java.lang.annotation.Annotation one : method.getAnnotations())
            if (one.annotationType().getName().startsWith("org.testng.annotations."))
                return true;
        return false;
    }

    @Override
    public void run(Class<?> type, Set<String> names, Events events) {
        TestNG tests = new TestNG(false);
        tests.setUseDefaultListeners(false);
        tests.setVerbose(0);
        tests.setTestClasses(new Class<?>[] {type});
        Listener listener = new Listener(type, new LinkedHashSet<>(names), events);
        ITestNGListener told = listener; // older versions take any object, newer ones this
        tests.addListener(told);
        tests.run();
        listener.close();
        if (listener.setUp != null && !events.stopped())
            events.classFailed(listener.setUp, events.waiting());
    }

    private static final class Listener implements ITestListener, IInvokedMethodListener {
        private final Class<?> type;
        private final Set<String> names;
        private final Events events;
        private String current;
        private Throwable problem;
        private boolean skipped;
        Throwable setUp;

        Listener(Class<?> type, Set<String> names, Events events) {
            this.type = type;
            this.names = names;
            this.events = events;
        }

        private String name(ITestResult result) {
            return type.getName() + "#" + result.getMethod().getMethodName();
        }

        /** The cases of one method are one test: it is over when another begins. */
        void close() {
            if (current == null)
                return;
            if (problem == null && skipped)
                events.skipped(current);
            else
                events.finished(current, problem);
            current = null;
        }

        private void open(String name) {
            if (name.equals(current) || !names.contains(name))
                return;
            close();
            current = name;
            problem = null;
            skipped = false;
            events.started(name);
        }

        @Override
        public void beforeInvocation(IInvokedMethod method, ITestResult result) {
            if (events.stopped())
                throw new SkipException("stopped");
            if (method.isTestMethod())
                open(name(result));
        }

        @Override
        public void afterInvocation(IInvokedMethod method, ITestResult result) {
            if (!method.isTestMethod() && result.getStatus() == ITestResult.FAILURE && setUp == null)
                setUp = result.getThrowable();
        }

        @Override
        public void onTestStart(ITestResult result) {
            open(name(result));
        }

        @Override
        public void onTestSuccess(ITestResult result) {
            // The next one tells whether it was the last case.
        }

        @Override
        public void onTestFailure(ITestResult result) {
            fail(result);
        }

        @Override
        public void onTestFailedButWithinSuccessPercentage(ITestResult result) {
            // TestNG counts it as a success.
        }

        private void fail(ITestResult result) {
            open(name(result));
            if (name(result).equals(current) && problem == null)
                problem = result.getThrowable() != null ? result.getThrowable() : new AssertionError("failed");
            if (problem != null)
                close();
        }

        @Override
        public void onTestSkipped(ITestResult result) {
            // A test is skipped because another, or its set-up, failed: that one is told.
            if (!events.stopped() && names.contains(name(result))) {
                open(name(result));
                skipped = true;
            }
        }

        @Override
        public void onStart(ITestContext context) {
            // Nothing is to be done.
        }

        @Override
        public void onFinish(ITestContext context) {
            close();
        }
    }
}
