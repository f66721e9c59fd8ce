package wildcaught.rt;

import java.lang.reflect.InvocationTargetException;
import java.util.BitSet;

/** The W of one class loader, out of this program's own sight. */
final class Tables {
    private final Class<?> type;

    Tables(ClassLoader loader) throws ClassNotFoundException {
        type = Class.forName("wildcaught.rt.W", true, loader);
    }

    void switchOn(String list) {
        call("switchOn", list);
    }

    void switchOff(String list) {
        call("switchOff", list);
    }

    void note() {
        call("note");
    }

    BitSet noted() {
        return (BitSet) call("noted");
    }

    BitSet initialisers() {
        return (BitSet) call("initialisers");
    }

    boolean initialising() {
        return (Boolean) call("initialising");
    }

    long passed() {
        return (Long) call("passed");
    }

    private Object call(String name, String... text) {
        try {
            Class<?>[] types = text.length > 0 ? new Class<?>[] {String.class} : new Class<?>[0];
            return type.getMethod(name, types).invoke(null, (Object[]) text);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
