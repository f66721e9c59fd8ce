package tiny;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Ignore;
import org.junit.Test;

public class AccountTest {
    @Test
    public void plainAccountsPayNoFee() {
        Account account = new Account(" Ann ");
        assertEquals("Ann", account.name());
        assertEquals(7, account.put("7"));
        assertTrue(account.pay(5));
        assertEquals(2, account.put("0"));
    }

    @Test
    public void nobodyPaysMoreThanTheLimit() {
        assertFalse(new Account("").pay(11));
        assertTrue(new Account("", Account.Kind.GOLD).pay(100));
        assertEquals("nobody", new Account("").name());
    }

    @Test
    public void feesGrow() {
        assertEquals(10, new Account("x", Account.Kind.BLACK).fee());
        assertEquals(5, new Account("x", Account.Kind.GOLD).fee());
    }

    @Test
    public void whatIsNoNumberIsRefused() {
        Account account = new Account("x");
        assertEquals(-1, account.put("seven"));
        account.pay(3);
        assertEquals(1 + 7, account.total(n -> n));
    }

    @Ignore("it would fail")
    @Test
    public void whatIsIgnoredDoesNotCount() {
        assertTrue(new Account("x").pay(-1));
    }
}
