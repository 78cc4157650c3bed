using System;
namespace Shop.Forms;

public partial class Forms<T> : Base, IForms where T : class
{
    private int a = One(), b;
    public Forms(int n, string s = "x") : this(n) { Prop = n; }
    public Forms(int n) : base(n, Make()) => Prop = n;
    static Forms() { Init(); }
    ~Forms() => Close();
    public int Prop { get => Read(); private set { Write(value); } }
    public Job Made { get; } = new(1);
    public Job Other => new(2, "x");
    public Job Build() => new(3);
    public Job Block() { return new() { Name = Named() }; }
    public Func<Job> Lambda() { return () => new(); }
    public event Action Done;
    public event Action Custom { add => Add(value); remove => Remove(value); }
    public int this[int i, string k = ""] { get { return At(i); } set => Put(i, value); }
    public static Forms<T> operator -(Forms<T> x) => x.Minus();
    public static bool operator true(Forms<T> x) => x.Yes();
    public static explicit operator int(Forms<T> x) => x.Count();
    int IForms.Explicit() => 1;
    string IForms.Text { get; set; }
    public delegate R Maker<in A, out R>(A a, params object[] rest) where R : new();
    [Test] public void Tested() { }
    [TestMethod, Timeout(1)] public async Task TestedToo() { await Run(); }
    public enum Kind : short { One = 1, Two = One << 1 }
    protected internal record struct Money(decimal Amount, string Currency = "EUR")
    {
        public Money Twice() => this with { Amount = Amount * Two() };
    }

    void Locals(out int o, ref T r, in int i, params string[] rest)
    {
        int x = 1, y = Two();
        var z = Three(x);
        const int c = 4;
        Job job = new(), second = new Job(z);
        Job? maybe = null;
        (int p, string q) pair = Pair();
        var (m, n) = Pair();
        (m, n) = Pair();
        (var k, _) = Pair();
        using (var u = Open()) { u.Read(); }
        using var w = Open();
        fixed (int* ptr = &Field) { Use(ptr); }
        lock (Gate) { Enter(); }
        checked { x += Five(); }
        x++; --y; Prop = x; this.Prop += y; job.Name = "a"; Prop++;
        o = x > 1 ? Six() : Seven();
        for (int f = Start(), g = 2; f < End(); f++, g--) { Step(f); }
        foreach (Job each in Jobs) each.Run();
        foreach (var (key, value) in Map) Use(key, value);
        while (Going()) { if (Stop()) break; else continue; }
        do { Do(); } while (Again());
        try { Try(); } catch (Exception e) when (e.Match()) { Log(e); } catch { Rethrow(); } finally { Last(); }
        switch (x)
        {
            case 1: Eight(); break;
            case int big when big > Nine(): Ten(big); break;
            case > 3 and < 5: break;
            default: goto case 1;
        }
        if (job is { Name: { Length: > 2 } len } found && found.Ok()) Accept(found, len);
        if (job is Job typed || maybe is not null) Use(typed);
        int Local(int v) => v + Eleven();
        static void Block<U>(U u) { Use(u); }
        Local(1); Block<int>(2); Block(3);
        TryGet("k", out var got, out int typedOut, ref r, out _);
        Call(named: Local(2), other: "s", third: 'c', fourth: @"v", fifth: $"i{Inter(x)}", sixth: """raw""");
        Call(n => n, (n1, n2) => n1, () => { }, (int t1) => t1, delegate { }, delegate (int d) { Use(d); }, async () => await Run());
        Call(a, this.b, base.Field, Other.Value, Prop, Method, this.Method, job.Method, new EventHandler(Method), nameof(Prop));
        Call(aVeryLongArgument + withManyParts + thatIsLongerThan + theLimitOfArguments + whichIsEightyBytes);
        job?.Run(); job?.Part?.Run(1)?.Again(); job?[0].Run(); job!.Run(); job.Done!(1); job.Part.Done?.Invoke(2);
        ((Job)x).Run(); (job as Job).Run(); (job ?? second).Run(); (Run)(1); (x > 1 ? job : second).Run();
        job.Generic<int, string>(1); Generic<Job>(); Static<int>.Run(); global::Shop.Job.Make(); Alias::Job.Make();
        Done = Method; Done += this.Method; job.Done = Method; Done -= Other.Method; Custom += new Action(Method);
        new Job { Name = Text(), Done = Method, Inner = { Deep = 1 }, [0] = Item() };
        new Job(1) { Count = 2 };
        var anonymous = new { job.Name, Prop, Value = Twelve() };
        int[] array = { 1, Thirteen() }; var list = new[] { job, new() }; int[,] grid = new int[2, Fourteen()];
        List<Job> spread = [job, .. Jobs, new()];
        var query = from s in Source() join t in Others on s.Id equals t.Id into g2 where g2.Any() let h = s.Half()
                    orderby h.Key descending group s by h into grouped from last in grouped select last.Map();
        var sw = x switch { 1 => Fifteen(), int big2 when big2 > 3 => big2.Run(), { } => default, _ => throw new Error(Why()) };
        var range = array[1..^2]; var at = array[^1]; var tuple = (1, name: Sixteen());
        Prop.Run(); Kind.One.Show(); typeof(Job).Name.Run(); sizeof(int).Run(); default(T).Run(); stackalloc int[3];
        if (Prop == 1 && !Flag) return; return;
        label: yield return Prop;
        unsafe { *ptr = 1; ptr->Run(); }
        _ = await Run().ConfigureAwait(false); await foreach (var a2 in Stream()) { } await using var d2 = Dispose();
#if A
        Seventeen();
#else
        Eighteen();
#endif
    }
}

file static class Extensions
{
    public static void Ext(this Job job, int n) => job.Run(n);
    public static Job Gen<T>(this IEnumerable<T> list) where T : Job, new() => list.First();
    extern static void Native();
}

public class Primary(int n, IClock clock = null) : Base(n), IDisposable
{
    int N => n;
    public void Dispose() => clock.Stop();
}

public readonly ref struct View { public readonly Span<int> Data; public View(Span<int> data) => Data = data; }
public abstract record Shape(string Name) { public abstract double Area(); public sealed override string ToString() => Name; }
