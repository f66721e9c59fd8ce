/** A catalogue of books; {@code /* not nested} here. */
package org.example.books;

import static java.util.Map.entry;
import java.util.*;
import java.util.function.*;

@Deprecated(since = "1.5", forRemoval = true)
public final class Catalogue<T extends Comparable<? super T>> implements Iterable<T> {
    private static final String BLOCK = """
        {
          "title": "Don't \""" panic",
          "path": "C:\\books" \
        }
        """;
    static final char[] CHARS = {'a', '\'', '"', '\\', '\u0041', '\n', 'é'};
    static final double[] REALS = {1., .5, 1.5e-3, 1e10f, 2.D, 3.f, 0x1.8p1, 1_000.5d, 1.e5, 0x.8p-1};
    static final long[] LONGS = {0L, 0xFF_FFl, 0b1010, 017, 1_000_000L, Long.MAX_VALUE};
    private final Map<String, List<List<T>>> shelves = new HashMap<>();
    private int $count, _size, größe;

    public @interface Shelf {
        String value() default "a\tb";
        int[] rows() default {};
    }

    @SafeVarargs
    public final void add(String shelf, T... items) {
        // a comment with "quotes" and 'apostrophes
        for (T item : items) {
            shelves.computeIfAbsent(shelf, k -> new ArrayList<>()).add(List.of(item));
        }
        $count += items.length; _size++; --_size;
    }

    @Override
    public Iterator<T> iterator() {
        Supplier<List<T>> make = ArrayList::new;
        BiFunction<Integer, Integer, Integer> f = (a, b) -> a >>> 1 ^ b << 2 >> 1;
        int bits = 0b11;
        bits >>>= 1; bits >>= 1; bits <<= 3; bits ^= ~bits; bits |= 0x0f; bits &= 1; bits %= 7;
        return this.shelves.values().stream().flatMap(List::stream).flatMap(List::stream).iterator();
    }

    static int classify(Object o) throws IllegalStateException {
        outer:
        while (true) {
            do {
                if (o instanceof String s && !s.isEmpty()) break outer;
                else continue outer;
            } while (false);
        }
        return switch (o) {
            case null -> -1;
            case Integer i when i >= 0 && i <= 9 || i == 42 -> i / 2 * 3 - 1;
            case String s -> { yield s.length() != 0 ? 1 : 0; }
            default -> throw new IllegalStateException("no: " + o + '\t');
        };
    }

    record Pair<A, B>(A first, B second) {}

    sealed interface Shape permits Circle, Square {}

    synchronized void close() {
        try (var in = open("x")) {
            assert in != null : "closed";
        } catch (RuntimeException | Error e) {
            super.toString();
        } finally {
            $count = größe /*divide*// 2;
        }
    }
}
