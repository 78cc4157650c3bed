package shop;

import junit.framework.TestCase;

class Fields {
    @Inject @Named("a") private int first = make(), second[] = { make() };
    @Columns({@Column("x"), @Column(name = "y")}) int[] third, fourth[];
    static final String FIFTH = "5";
    static int sixth;
    final int seventh = 7;
    Runnable eighth = () -> make();

    @shop.Own int ninth;
    @Deprecated @Override public final int tenth() { return 10; }

    private static int make() { return 1; }
    int[] array(String... names)[] { return null; }
    void vary(@Named("n") final String name, @Own int... more) {}
}

interface Constants {
    int ONE = 1;
    void given();
    private void hidden() {}
    default void shown() {}
}

class OldTest extends TestCase {
    public void testOne() {}
    public void testWith(int x) {}
    void testHidden() {}
    public void tested() {}
    public void helper() {}
}

class NoTest extends Fields {
    public void testOne() {}
}

class NewTest {
    @Test void one() {}
    @org.junit.Test public void two() {}
    @ParameterizedTest @ValueSource(ints = {1}) void three(int n) {}
    @Before void four() {}
}
