package wildcaught.rt;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;

/**
 * A resident test runner: reads requests on standard input, runs tests in a
 * fresh class loader, and replies on standard output.
 */
public final class Main {
    private static final int RESTART = 3; // exit code: start another one
    private static final int THREADS = 64; // of pools, left over by tests, before a restart

    final Output output = new Output();
    private final OutputStream replies = new FileOutputStream(FileDescriptor.out);
    private final List<Adapter> adapters = new ArrayList<>();
    private final Watch watch = new Watch(this);
    private final Fresh.Classes classes;
    private final ClassLoader libraries;
    private final Kept kept;
    volatile String running = "";
    /** What every reply to the request begins with: only we know it. */
    private volatile String nonce = "-";
    private final Map<String, String> tops = new HashMap<>();
    private volatile boolean restart;

    public static void main(String[] args) throws IOException {
        new Main(args.length > 0 ? args[0] : "").serve();
    }

    private Main(String path) throws IOException {
        List<File> directories = new ArrayList<>();
        List<URL> jars = new ArrayList<>();
        List<URL> reloaded = new ArrayList<>();
        for (String entry : path.split(File.pathSeparator + "|,")) {
            File file = new File(entry).getAbsoluteFile();
            if (file.isDirectory())
                directories.add(file);
            else if (entry.startsWith("+"))
                reloaded.add(new File(entry.substring(1)).getAbsoluteFile().toURI().toURL());
            else if (!entry.isEmpty())
                jars.add(file.toURI().toURL());
        }
        classes = new Fresh.Classes(directories, reloaded);
        libraries = new URLClassLoader(jars.toArray(new URL[0]), Main.class.getClassLoader());
        kept = new Kept(classes, libraries);
        for (String adapter : new String[] {"Runner4", "Runner5", "RunnerNG"})
            try {
                adapters.add((Adapter) Class.forName("wildcaught.rt." + adapter).getDeclaredConstructor().newInstance());
            } catch (ReflectiveOperationException | LinkageError e) {
                continue; // not compiled, or its framework is not there
            }
    }

    private void serve() throws IOException {
        BufferedReader requests = new BufferedReader(
            new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
        System.setIn(new ByteArrayInputStream(new byte[0]));
        PrintStream printed = new PrintStream(output, true);
        Properties properties = (Properties) System.getProperties().clone();
        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        // The orderly ends below use halt, which runs no hooks.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> reply("exit", running)));

        List<String> ready = new ArrayList<>(Arrays.asList("ready"));
        for (Adapter adapter : adapters)
            ready.add(adapter.getClass().getSimpleName());
        reply(ready.toArray(new String[0]));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            List<String> request = fields(line);
            nonce = request.remove(0);
            System.setProperties((Properties) properties.clone());
            System.setOut(printed);
            System.setErr(printed);
            Locale.setDefault(locale);
            TimeZone.setDefault(zone);
            output.clear();
            // A thread of its own: thread-locals must not hold on to the loader.
            Thread thread = new Thread(null, () -> handle(request), "main");
            watch.tests(thread);
            thread.start();
            while (thread.isAlive())
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    continue;
                }
            if (restart)
                Runtime.getRuntime().halt(RESTART);
        }
        Runtime.getRuntime().halt(0);
    }

    private void handle(List<String> request) {
        Leftovers leftovers = new Leftovers();
        try {
            String verb = request.get(0);
            if (verb.equals("list"))
                list(request.subList(1, request.size()));
            else if (verb.equals("run") && request.size() >= 5)
                run(request.get(1), Long.parseLong(request.get(2)), Long.parseLong(request.get(3)), request.get(4),
                    request.subList(5, request.size()));
            else
                reply("error", "not a request");
        } catch (Throwable e) {
            reply("error", e.toString());
        } finally {
            watch.off();
            running = "";
        }
        restart |= leftovers.any() || Thread.activeCount() > THREADS;
        end();
    }

    private Fresh loader() {
        return use(new Fresh(classes, libraries));
    }

    private static Fresh use(Fresh loader) {
        Thread.currentThread().setContextClassLoader(loader);
        return loader;
    }

    private void list(List<String> names) throws IOException {
        try (Fresh loader = loader()) {
            Set<String> tests = new LinkedHashSet<>();
            for (String name : names.isEmpty() ? classes.files.keySet() : names)
                try {
                    Class<?> type = Class.forName(name, false, loader);
                    for (Adapter adapter : adapters)
                        if (adapter.handles(type))
                            tests.addAll(adapter.list(type));
                } catch (ClassNotFoundException | LinkageError e) {
                    if (!names.isEmpty())
                        reply("error", name + ": " + e);
                }
            for (String test : tests)
                reply("test", test);
        }
    }

    private void run(String on, long limit, long work, String flags, List<String> names) throws Exception {
        boolean reach = flags.contains("r"), stopEarly = flags.contains("f"), share = flags.contains("s") && !reach;
        // The tests of a class go together: what it sets up is then set up once.
        Map<String, Set<String>> byClass = new LinkedHashMap<>();
        for (String name : names)
            byClass.computeIfAbsent(tops.computeIfAbsent(name.substring(0, Math.max(0, name.indexOf('#'))), this::top),
                k -> new LinkedHashSet<>()).add(name);
        boolean keep = flags.contains("k") && !reach && kept.mayServe(names);
        Fresh loader = null;
        Tables tables = null;
        for (Map.Entry<String, Set<String>> one : byClass.entrySet()) {
            // A loader per class, unless told otherwise: how a test goes, and what
            // it reaches, then does not depend on the classes that ran before.
            if (loader == null || !share) {
                if (loader != null)
                    loader.close();
                loader = keep ? use(kept.take()) : loader();
                // The unchanged project, and a mutant that was built alone, have none.
                tables = reach || !on.equals("-") ? new Tables(loader) : null;
                if (!on.equals("-"))
                    tables.switchOn(on);
            }
            Events events = new Events(this, watch, reach ? tables : null, stopEarly, limit, work, one.getValue());
            try {
                Class<?> type = Class.forName(one.getKey(), false, loader);
                for (Adapter adapter : adapters)
                    if (!events.stopped() && !events.waiting().isEmpty() && adapter.handles(type))
                        adapter.run(type, events.waiting(), events);
            } catch (Throwable e) { // also OutOfMemoryError, which JUnit 5 passes on
                events.classFailed(e, events.waiting());
            }
            events.end();
            restart |= events.outOfMemory();
            if (keep) {
                if (tables != null)
                    tables.switchOff(on);
                kept.giveBack(loader, names);
                loader = null;
            }
            if (events.stopped())
                break;
        }
        if (loader != null)
            loader.close();
    }

    /** The class to run for a test: JUnit 5 runs a @Nested class with its outer one. */
    private String top(String name) {
        String type = name;
        ClassLoader loader = new Fresh(classes, libraries);
        for (int dollar; (dollar = type.lastIndexOf('$')) > 0; type = type.substring(0, dollar))
            try {
                Class<?> found = Class.forName(type, false, loader);
                if (!found.isMemberClass() || java.lang.reflect.Modifier.isStatic(found.getModifiers()))
                    return type;
            } catch (ClassNotFoundException | LinkageError e) {
                continue; // a nested class inherited from another outer class
            }
        return type;
    }

    /** Says so if this runner ends now, and the next request is for another one. */
    private void end() {
        if (restart)
            reply("end", "restart");
        else
            reply("end");
    }

    void timeout(String name, long millis, boolean busy, String message) {
        reply("test", name, busy ? "busy" : "timeout", Long.toString(millis), message + output.kept());
        restart = true;
        end();
        Runtime.getRuntime().halt(RESTART);
    }

    /** Sends one line. Straight to the descriptor, so that a crash loses nothing. */
    synchronized void reply(String... fields) {
        // On a line of its own, whatever somebody else wrote to the descriptor.
        StringBuilder line = new StringBuilder("\n").append(nonce);
        for (String field : fields)
            line.append('\t').append(
                field.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r"));
        try {
            replies.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            Runtime.getRuntime().halt(1); // the parent is gone
        }
    }

    private static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        for (String raw : line.split("\t", -1)) {
            StringBuilder field = new StringBuilder();
            for (int i = 0; i < raw.length(); i++) {
                char c = raw.charAt(i);
                if (c == '\\' && i + 1 < raw.length()) {
                    c = raw.charAt(++i);
                    c = c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
                }
                field.append(c);
            }
            fields.add(field.toString());
        }
        return fields;
    }

    /** What the tests print: the beginning is kept, for the log of a failure. */
    static final class Output extends OutputStream {
        private final byte[] kept = new byte[16384];
        private int length;

        synchronized void clear() {
            length = 0;
        }

        synchronized String kept() {
            return length == 0 ? "" : "\noutput:\n" + new String(kept, 0, length, StandardCharsets.UTF_8);
        }

        @Override
        public synchronized void write(int b) {
            if (length < kept.length)
                kept[length++] = (byte) b;
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int count) {
            int taken = Math.min(count, kept.length - length);
            System.arraycopy(bytes, from, kept, length, taken);
            length += taken;
        }
    }
}
