package tiny;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Things that are hard to switch. */
public class Account extends Base {
    enum Kind { PLAIN, GOLD, BLACK }

    private static final int[] FEES = new int[3];

    static {
        FEES[1] = 5;
        for (int at = 2; at < FEES.length; at++) {
            FEES[at] = FEES[at - 1] * 2;
        }
    }

    private final Kind kind;
    private final int limit;
    private int balance;
    private final List<Integer> log = new ArrayList<>();

    public Account(String name) {
        this(name, Kind.PLAIN);
    }

    Account(String name, Kind kind) {
        super(name.trim());
        this.kind = kind;
        if (kind == Kind.GOLD) {
            limit = 100;
        } else {
            limit = 10;
        }
    }

    public boolean pay(int amount) {
        if (amount < 0 || amount > balance + limit) return false;
        balance -= amount + fee();
        log.add(amount);
        return true;
    }

    public int fee() {
        switch (kind) {
            case GOLD:
                return FEES[1];
            case BLACK:
                return FEES[2];
            default:
                break;
        }
        return 0;
    }

    public int put(String text) {
        try {
            balance += Integer.parseInt(text);
        } catch (NumberFormatException error) {
            return -1;
        } finally {
            log.add(0);
        }
        return balance;
    }

    public int total(IntUnaryOperator change) {
        IntUnaryOperator doubled = n -> {
            int twice = n * 2;
            return twice + 1;
        };
        int total = 0;
        for (int amount : log) {
            total += doubled.andThen(change).applyAsInt(amount);
        }
        return total;
    }
}
