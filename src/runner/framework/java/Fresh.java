package wildcaught.rt;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A class loader for one request: the target's classes, and with them W and all
 * static state, are new in each.
 */
final class Fresh extends URLClassLoader {
    static final String EXTENSIONS = "META-INF/services/org.junit.jupiter.api.extension.Extension";

    /** The target's class files, found and read once per process. */
    static final class Classes {
        final Map<String, File> files = new LinkedHashMap<>();
        final Map<File, ProtectionDomain> domains = new LinkedHashMap<>();
        final Map<String, byte[]> bytes = new ConcurrentHashMap<>();
        final Map<String, File> roots = new LinkedHashMap<>();
        final URL[] urls;

        /** Libraries that make subclasses of the target's classes are loaded with them: in another loader they
            could not override what is private to a package. */
        Classes(List<File> directories, List<URL> reloaded) throws IOException {
            urls = new URL[directories.size() + reloaded.size()];
            for (int i = 0; i < reloaded.size(); i++)
                urls[directories.size() + i] = reloaded.get(i);
            for (int i = 0; i < directories.size(); i++) {
                File root = directories.get(i);
                urls[i] = root.toURI().toURL();
                domains.put(root, new ProtectionDomain(new CodeSource(urls[i], (Certificate[]) null), null));
                scan(root, root, "");
            }
        }

        private void scan(File root, File directory, String prefix) {
            File[] found = directory.listFiles();
            if (found == null)
                return;
            java.util.Arrays.sort(found); // the order on disk is not stable
            for (File file : found) {
                String name = file.getName();
                if (file.isDirectory())
                    scan(root, file, prefix + name + ".");
                else if (name.endsWith(".class")) {
                    String type = prefix + name.substring(0, name.length() - 6);
                    if (files.putIfAbsent(type, file) == null)
                        roots.put(type, root);
                }
            }
        }
    }

    private final Classes classes;

    /** The classes that were loaded here, in this order. */
    final List<Class<?>> loaded = Collections.synchronizedList(new ArrayList<Class<?>>());

    Fresh(Classes classes, ClassLoader parent) {
        super(classes.urls, parent);
        this.classes = classes;
    }

    /** The target's own classes first: a library may hold an older copy of them. */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!classes.files.containsKey(name))
            return super.loadClass(name, resolve);
        synchronized (getClassLoadingLock(name)) {
            Class<?> type = findLoadedClass(name);
            return type != null ? type : findClass(name);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        File file = classes.files.get(name);
        if (file == null) { // of a library that is loaded with the target
            Class<?> type = super.findClass(name);
            loaded.add(type);
            return type;
        }
        byte[] bytes = classes.bytes.get(name);
        try {
            if (bytes == null)
                classes.bytes.put(name, bytes = Files.readAllBytes(file.toPath()));
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
        Class<?> type = defineClass(name, bytes, 0, bytes.length, classes.domains.get(classes.roots.get(name)));
        loaded.add(type);
        return type;
    }

    /** Only Runner5.Stop, unless the target itself asks JUnit to look for extensions. */
    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        if (name.equals(EXTENSIONS) && !extensionsWanted())
            return Collections.enumeration(Collections.singleton(Fresh.class.getClassLoader().getResource(name)));
        return super.getResources(name);
    }

    private boolean extensionsWanted() throws IOException {
        URL settings = getResource("junit-platform.properties");
        if (settings == null)
            return false;
        java.util.Properties properties = new java.util.Properties();
        try (java.io.InputStream in = settings.openStream()) {
            properties.load(in);
        }
        return Boolean.parseBoolean(properties.getProperty("junit.jupiter.extensions.autodetection.enabled"));
    }
}
