package wildcaught.rt;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** JUnit 5. */
final class Runner5 implements Adapter {
    private static volatile Events running;

    private final Launcher launcher = LauncherFactory.create();

    /** JUnit 5 cannot be told to stop: after the first failure the rest is skipped. */
    public static final class Stop implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            Events events = running;
            return events != null && events.stopped() ? ConditionEvaluationResult.disabled("stopped")
                : ConditionEvaluationResult.enabled("");
        }
    }

    @Override
    public boolean handles(Class<?> type) {
        // Nested classes are found through their outer ones.
        return !type.isMemberClass() || java.lang.reflect.Modifier.isStatic(type.getModifiers());
    }

    private static LauncherDiscoveryRequestBuilder request(Class<?> type) {
        return LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(type))
            .filters(EngineFilter.excludeEngines("junit-vintage", "junit-platform-suite"))
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
            .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true");
    }

    /**
     * The test that a node is or belongs to, or null for those above tests.
     * Repeated, parameterised and dynamic cases are known only once they run:
     * they are one test, their method.
     */
    private static String name(UniqueId id, boolean test) {
        StringBuilder name = new StringBuilder();
        for (UniqueId.Segment segment : id.getSegments())
            switch (segment.getType()) {
            case "class":
                name.append(segment.getValue());
                break;
            case "nested-class":
                name.append('$').append(segment.getValue());
                break;
            case "method":
            case "test-template":
            case "test-factory":
                String method = segment.getValue();
                return name + "#" + (method.endsWith("()") ? method.substring(0, method.length() - 2) : method);
            default:
            }
        return test ? name + "#" + id : null; // of another engine
    }

    private static String name(TestIdentifier at) {
        return name(UniqueId.parse(at.getUniqueId()), at.isTest());
    }

    @Override
    public List<String> list(Class<?> type) {
        Set<String> names = new LinkedHashSet<>();
        TestPlan plan = launcher.discover(request(type).build());
        for (TestIdentifier root : plan.getRoots())
            for (TestIdentifier at : plan.getDescendants(root))
                if (name(at) != null)
                    names.add(name(at));
        return new ArrayList<>(names);
    }

    @Override
    public void run(Class<?> type, Set<String> names, Events events) {
        PostDiscoveryFilter wanted = (TestDescriptor at) -> {
            String name = name(at.getUniqueId(), at.isTest());
            return FilterResult.includedIf(name == null || names.contains(name));
        };
        running = events;
        try {
            launcher.execute(request(type).filters(wanted).build(), new Listener(events));
        } finally {
            running = null;
        }
    }

    private static final class Listener implements TestExecutionListener {
        private final Events events;
        private TestPlan plan;
        private String current; // the test, and the node whose end is its end
        private String node;
        private Throwable problem;

        Listener(Events events) {
            this.events = events;
        }

        @Override
        public void testPlanExecutionStarted(TestPlan plan) {
            this.plan = plan;
        }

        @Override
        public void executionStarted(TestIdentifier at) {
            String name = name(at);
            if (name == null || current != null)
                return;
            current = name;
            node = at.getUniqueId();
            problem = null;
            events.started(name);
        }

        @Override
        public void executionSkipped(TestIdentifier at, String reason) {
            if (current != null || events.stopped())
                return; // a case of a test; or it was skipped by Stop
            if (name(at) != null)
                events.skipped(name(at));
            below(at).forEach(events::skipped);
        }

        private Set<String> below(TestIdentifier at) {
            Set<String> names = new LinkedHashSet<>();
            for (TestIdentifier child : plan.getDescendants(at))
                if (name(child) != null)
                    names.add(name(child));
            return names;
        }

        @Override
        public void executionFinished(TestIdentifier at, TestExecutionResult result) {
            Optional<Throwable> thrown = result.getThrowable();
            boolean failed = result.getStatus() == TestExecutionResult.Status.FAILED;
            if (failed && problem == null)
                problem = thrown.orElseGet(() -> new AssertionError("failed"));
            if (current == null) {
                if (failed)
                    events.classFailed(problem, below(at));
                else if (result.getStatus() == TestExecutionResult.Status.ABORTED)
                    below(at).forEach(events::skipped);
                problem = null;
            } else if (at.getUniqueId().equals(node)) {
                if (problem == null && result.getStatus() == TestExecutionResult.Status.ABORTED)
                    events.skipped(current);
                else
                    events.finished(current, problem);
                current = null;
                problem = null;
            }
        }
    }
}
