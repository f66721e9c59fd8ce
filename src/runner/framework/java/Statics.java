package wildcaught.rt;

import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/** What classes keep in static fields, and all that can be reached from there, as a number. */
final class Statics {
    static final long UNKNOWN = 0;
    private static final int MOST = 20000; // objects
    /** Told by what they print: they have no other state, or it cannot change. */
    private static final String[] TOLD = {"java.lang.", "java.math.", "java.util.concurrent.atomic.", "java.time.",
        "java.util.Locale", "java.util.UUID", "java.util.Date", "java.util.BitSet", "java.io.File",
        "java.net.URI", "java.net.URL", "java.nio.charset."};
    /** Not the target's: the machine has them, whoever holds them. */
    private static final String[] OUTSIDE = {"java.lang.Thread", "java.lang.ThreadLocal", "java.lang.InheritableThreadLocal",
        "java.io.PrintStream", "java.util.logging.Logger", "java.lang.Object"};

    private static final Object UNSAFE;
    private static final Method WAITING;
    static final boolean POSSIBLE;

    static {
        Object unsafe = null;
        Method waiting = null;
        try {
            // By name: not every machine has it.
            Class<?> type = Class.forName("sun.misc.Unsafe");
            Field field = type.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            unsafe = field.get(null);
            waiting = type.getMethod("shouldBeInitialized", Class.class);
        } catch (ReflectiveOperationException | RuntimeException e) {
            unsafe = null;
        }
        UNSAFE = unsafe;
        WAITING = waiting;
        POSSIBLE = unsafe != null && waiting != null;
    }

    private static final Map<Class<?>, Field[]> FIELDS = new WeakHashMap<>();

    private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();
    private final ArrayDeque<Object> open = new ArrayDeque<>();
    private long hash = 0xcbf29ce484222325L;
    private boolean unknown;

    /** Those of a loader's classes that were initialised, in the order of their loading. */
    static List<Class<?>> initialised(Fresh loader) {
        List<Class<?>> found = new ArrayList<>();
        for (Class<?> type : loader.loaded.toArray(new Class<?>[0]))
            try {
                if (!type.getName().equals("wildcaught.rt.W") && !(Boolean) WAITING.invoke(UNSAFE, type))
                    found.add(type);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        return found;
    }

    /** What initialised classes keep; UNKNOWN if that cannot be told. */
    static long of(List<Class<?>> types) {
        Statics statics = new Statics();
        try {
            for (Class<?> type : types)
                for (Field field : fields(type))
                    if (Modifier.isStatic(field.getModifiers()))
                        statics.field(field, null);
            while (!statics.open.isEmpty() && !statics.unknown)
                statics.inside(statics.open.poll());
        } catch (Throwable e) { // the target's own collections may throw anything
            return UNKNOWN;
        }
        return statics.unknown ? UNKNOWN : statics.hash | 1;
    }

    private static Field[] fields(Class<?> type) {
        synchronized (FIELDS) {
            Field[] fields = FIELDS.get(type);
            if (fields == null) {
                fields = type.getDeclaredFields();
                for (Field field : fields)
                    field.setAccessible(true);
                FIELDS.put(type, fields);
            }
            return fields;
        }
    }

    private void add(long value) {
        hash = (hash ^ value) * 0x100000001b3L;
        hash ^= hash >>> 29;
    }

    private void field(Field field, Object of) throws IllegalAccessException {
        Class<?> type = field.getType();
        if (!type.isPrimitive())
            refer(field.get(of));
        else if (type == int.class)
            add(field.getInt(of));
        else if (type == boolean.class)
            add(field.getBoolean(of) ? 1 : 2);
        else if (type == long.class)
            add(field.getLong(of));
        else if (type == double.class)
            add(Double.doubleToRawLongBits(field.getDouble(of)));
        else
            add(field.get(of).hashCode());
    }

    /** Takes a value: its content if it never changes, else a number, and its content later. */
    private void refer(Object value) {
        if (value == null)
            add(3);
        else if (value instanceof String || value instanceof Number && value.getClass().getName().startsWith("java.lang.")
            || value instanceof Boolean || value instanceof Character)
            add(value.hashCode() * 31L + value.getClass().getName().hashCode());
        else if (value instanceof Class)
            add(((Class<?>) value).getName().hashCode());
        else {
            Integer number = numbers.get(value);
            if (number == null) {
                number = numbers.size();
                numbers.put(value, number);
                open.add(value);
                unknown |= number > MOST;
            }
            add(number + 5L);
        }
    }

    private void inside(Object value) throws IllegalAccessException {
        Class<?> type = value.getClass();
        String name = type.getName();
        add(name.replaceFirst("\\$\\$Lambda.*", "").hashCode());
        if (type.isArray())
            elements(value, type.getComponentType());
        else if (type.getClassLoader() == Main.class.getClassLoader())
            return;
        else if (type.getClassLoader() == null || name.startsWith("java."))
            machines(value, name);
        else
            for (Class<?> part = type; part != Object.class; part = part.getSuperclass())
                if (part == Enum.class)
                    add(((Enum<?>) value).ordinal());
                else if (part.getClassLoader() != null)
                    for (Field field : fields(part)) {
                        if (!Modifier.isStatic(field.getModifiers()))
                            field(field, value);
                    }
                else if (!Throwable.class.isAssignableFrom(part))
                    unknown = true; // what it inherits is out of sight
    }

    private void elements(Object array, Class<?> type) {
        int length = Array.getLength(array);
        add(length);
        if (length > MOST * 10)
            unknown = true;
        else if (array instanceof Object[])
            for (Object element : (Object[]) array)
                refer(element);
        else if (array instanceof byte[])
            add(Arrays.hashCode((byte[]) array));
        else if (array instanceof char[])
            add(Arrays.hashCode((char[]) array));
        else if (array instanceof int[])
            add(Arrays.hashCode((int[]) array));
        else
            for (int i = 0; i < length; i++)
                add(Array.get(array, i).hashCode());
    }

    /** A class of the machine's: its fields are out of reach, and many change by being read. */
    private void machines(Object value, String name) {
        for (String outside : OUTSIDE)
            if (name.equals(outside))
                return;
        if (value instanceof Pattern) {
            add(((Pattern) value).pattern().hashCode());
            add(((Pattern) value).flags());
        } else if (value instanceof Reference)
            refer(((Reference<?>) value).get());
        else if (value instanceof AtomicReference)
            refer(((AtomicReference<?>) value).get());
        else if (name.startsWith("java.util.") && value instanceof Map) {
            add(((Map<?, ?>) value).size());
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                refer(entry.getKey());
                refer(entry.getValue());
            }
        } else if (name.startsWith("java.util.") && value instanceof Collection) {
            add(((Collection<?>) value).size());
            for (Object element : (Collection<?>) value)
                refer(element);
        } else {
            for (String told : TOLD)
                if (name.startsWith(told)) {
                    add(String.valueOf(value).hashCode());
                    return;
                }
            unknown = true;
        }
    }
}
