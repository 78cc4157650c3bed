package a;

/**
 * Doc.
 */
public class Broken {
    void f( {
        g(;
    }

    // a note
    int fine(int ä) {
        return h(ä);
    }
}
