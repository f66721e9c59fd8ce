package wildcaught.rt;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A class loader that serves again where nobody can tell it from a new one: what
 * its classes keep is what they keep when they are just initialised, and their
 * initialisers pass no point.
 *
 * Classes that are loaded once are also compiled once, by the machine: a run is
 * then many times as fast.
 */
final class Kept {
    private static final int PATIENCE = 2; // how often tests may leave something behind

    private final Fresh.Classes classes;
    private final ClassLoader libraries;
    private final Map<String, Integer> leaving = new HashMap<>(); // by test, how often
    private final Map<List<String>, Long> just = new HashMap<>(); // what initialised classes keep
    private Fresh loader;
    private long known; // what the loader's classes keep,
    private int count; // so many of them

    Kept(Fresh.Classes classes, ClassLoader libraries) {
        this.classes = classes;
        this.libraries = libraries;
    }

    boolean mayServe(List<String> tests) {
        return Statics.POSSIBLE && leaving.getOrDefault(tests.get(0), 0) < PATIENCE;
    }

    Fresh take() {
        if (loader == null)
            count = 0;
        return loader != null ? loader : (loader = new Fresh(classes, libraries));
    }

    /** After a test ran. */
    void giveBack(Fresh used, List<String> tests) throws IOException, ClassNotFoundException {
        if (isAsNew(used))
            return;
        leaving.merge(tests.get(0), 1, Integer::sum);
        loader = null;
        used.close();
    }

    private boolean isAsNew(Fresh used) throws IOException, ClassNotFoundException {
        // A class whose initialiser failed is not initialised, and never will be.
        if (new Tables(used).initialising())
            return false;
        List<Class<?>> initialised = Statics.initialised(used);
        long now = Statics.of(initialised);
        if (now == Statics.UNKNOWN)
            return false;
        if (initialised.size() != count) {
            List<String> names = new ArrayList<>();
            for (Class<?> type : initialised)
                names.add(type.getName());
            Long before = just.get(names);
            if (before == null)
                just.put(names, before = initialise(names));
            known = before;
            count = names.size();
        }
        return now == known;
    }

    /** What classes keep that were initialised, and nothing else. */
    private long initialise(List<String> names) throws IOException {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        try (Fresh other = new Fresh(classes, libraries)) {
            Thread.currentThread().setContextClassLoader(other);
            System.setProperty("wildcaught.aside", "true");
            Tables tables = new Tables(other);
            System.clearProperty("wildcaught.aside");
            for (String name : names)
                Class.forName(name, true, other);
            List<Class<?>> initialised = Statics.initialised(other);
            return tables.passed() > 0 || initialised.size() != names.size() ? Statics.UNKNOWN
                : Statics.of(initialised);
        } catch (ClassNotFoundException | LinkageError e) {
            return Statics.UNKNOWN;
        } finally {
            Thread.currentThread().setContextClassLoader(context);
        }
    }
}
