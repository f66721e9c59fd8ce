package wildcaught.rt;

import java.util.List;
import java.util.Set;

/** What a test framework is asked to do. */
interface Adapter {
    /** Looks at annotations only; does not initialise the class. */
    boolean handles(Class<?> type);

    /** The names of the tests of a class: "pkg.Class#method…". */
    List<String> list(Class<?> type);

    /** Runs those tests of a class that are in {@code names}. */
    void run(Class<?> type, Set<String> names, Events events);
}
