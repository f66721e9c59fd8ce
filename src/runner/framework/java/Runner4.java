package wildcaught.rt;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.Test;
import org.junit.runner.Description;
import org.junit.runner.Request;
import org.junit.runner.RunWith;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.junit.runner.notification.RunNotifier;
import org.junit.runner.notification.StoppedByUserException;

/** JUnit 4, and with it the TestCase classes of JUnit 3. */
final class Runner4 implements Adapter {
    /* Their parts are classes that are run on their own. */
    private static final List<String> SUITES = Arrays.asList("org.junit.runners.Suite", "org.junit.runners.AllTests",
        "org.junit.experimental.runners.Enclosed", "org.junit.experimental.categories.Categories",
        "org.junit.platform.runner.JUnitPlatform");

    @Override
    public boolean handles(Class<?> type) {
        if (Modifier.isAbstract(type.getModifiers()) || type.isMemberClass() && !Modifier.isStatic(type.getModifiers()))
            return false;
        RunWith runner = type.getAnnotation(RunWith.class);
        if (runner != null)
            return !SUITES.contains(runner.value().getName());
        if (junit.framework.TestCase.class.isAssignableFrom(type))
            return true;
        for (Method method : type.getMethods())
            if (method.isAnnotationPresent(Test.class))
                return true;
        return false;
    }

    @Override
    public List<String> list(Class<?> type) {
        List<String> names = new ArrayList<>();
        for (Map.Entry<Description, String> one : names(type, runner(type)).entrySet())
            if (!one.getValue().endsWith("#initializationError") && !one.getValue().endsWith("TestSuite$1.warning"))
                names.add(one.getValue());
        return names;
    }

    private static Runner runner(Class<?> type) {
        return Request.aClass(type).getRunner();
    }

    private static Map<Description, String> names(Class<?> type, Runner runner) {
        Map<Description, String> names = new LinkedHashMap<>();
        name(type, runner.getDescription(), "", names, new HashMap<>());
        return names;
    }

    /**
     * Names the leaves. A Parameterized class has a group "[…]" per set of
     * parameters, the text of which may differ from run to run: its place does not.
     */
    private static void name(Class<?> type, Description at, String place, Map<Description, String> names,
        Map<String, Integer> uses) {
        if (at.isSuite()) {
            int index = 0;
            for (Description child : at.getChildren()) {
                boolean group = child.isSuite() && child.getDisplayName().startsWith("[");
                name(type, child, group ? "[" + index + "]" : place, names, uses);
                index++;
            }
            return;
        }
        String method = at.getMethodName();
        if (method == null)
            method = at.getDisplayName();
        if (!place.isEmpty() && method.indexOf('[') > 0)
            method = method.substring(0, method.indexOf('[')) + place;
        if (!type.getName().equals(at.getClassName()))
            method = at.getClassName() + "." + method;
        String name = type.getName() + "#" + method;
        int use = uses.merge(name, 1, Integer::sum);
        names.putIfAbsent(at, use == 1 ? name : name + "~" + use);
    }

    @Override
    public void run(Class<?> type, Set<String> names, Events events) {
        Runner runner = runner(type);
        Map<Description, String> all = names(type, runner);
        Filter wanted = new Filter() {
            @Override
            public boolean shouldRun(Description at) {
                if (!at.isSuite())
                    return names.contains(all.get(at));
                for (Description child : at.getChildren())
                    if (shouldRun(child))
                        return true;
                return false;
            }

            @Override
            public String describe() {
                return "requested";
            }
        };
        if (!names.containsAll(all.values()))
            try {
                wanted.apply(runner);
            } catch (org.junit.runner.manipulation.NoTestsRemainException e) {
                if (all.size() > 1 || !all.values().iterator().next().endsWith("#initializationError"))
                    return;
            }
        RunNotifier notifier = new RunNotifier();
        notifier.addListener(new Listener(all, events, notifier));
        try {
            runner.run(notifier);
        } catch (StoppedByUserException e) {
            return; // at the first failure, as asked
        }
    }

    private static final class Listener extends RunListener {
        private final Map<Description, String> names;
        private final Events events;
        private final RunNotifier notifier;
        private Throwable problem;
        private boolean skipped;

        Listener(Map<Description, String> names, Events events, RunNotifier notifier) {
            this.names = names;
            this.events = events;
            this.notifier = notifier;
        }

        @Override
        public void testStarted(Description at) {
            problem = null;
            skipped = false;
            events.started(name(at));
        }

        @Override
        public void testFailure(Failure failure) {
            if (names.containsKey(failure.getDescription())) {
                if (problem == null)
                    problem = failure.getException();
            } else {
                events.classFailed(failure.getException(), below(failure.getDescription()));
                stop();
            }
        }

        @Override
        public void testAssumptionFailure(Failure failure) {
            skipped = true;
            if (!names.containsKey(failure.getDescription()))
                below(failure.getDescription()).forEach(events::skipped);
        }

        @Override
        public void testIgnored(Description at) {
            below(at).forEach(events::skipped);
        }

        @Override
        public void testFinished(Description at) {
            if (problem == null && skipped)
                events.skipped(name(at));
            else
                events.finished(name(at), problem);
            stop();
        }

        private String name(Description at) {
            return names.getOrDefault(at, at.getDisplayName());
        }

        /** The tests under a node; all, if the runner does not say. */
        private Collection<String> below(Description at) {
            List<String> found = new ArrayList<>();
            names.forEach((leaf, name) -> {
                if (holds(at, leaf))
                    found.add(name);
            });
            return found.isEmpty() ? names.values() : found;
        }

        private static boolean holds(Description at, Description leaf) {
            return at.equals(leaf) || at.getChildren().stream().anyMatch(child -> holds(child, leaf));
        }

        private void stop() {
            if (events.stopped())
                notifier.pleaseStop();
        }
    }
}
