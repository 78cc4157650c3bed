namespace A;

/// <summary>
/// Doc, see <see cref="Fine"/>.
/// </summary>
public class Broken
{
    void F( {
        G(;
    }

    // a note
    int Fine(int ä)
    {
        return H(ä);
    }
}
