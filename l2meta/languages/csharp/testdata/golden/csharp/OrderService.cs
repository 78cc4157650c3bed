// Copyright: nobody.
extern alias Legacy;
global using System.Linq;
using System;
using System.Collections.Generic;
using static System.Math;
using Json = System.Text.Json.JsonSerializer;
using unsafe Raw = int*;

[assembly: InternalsVisibleTo("Shop.Tests")]

namespace Shop.Orders
{
    /// <summary>Takes orders.</summary>
    /// <typeparam name="TKey">the key</typeparam>
    [Serializable]
    [Route("api/[controller]"), ApiController]
    public abstract partial class OrderService<TKey, in TValue> : ServiceBase<TKey>, IRepository<TKey, TValue>, Base.IDisposable
        where TKey : struct, IComparable<TKey>
        where TValue : Order, new()
    {
        /// <summary>How many orders a page holds.</summary>
        public const int Page = 4 * 10, Limit = 7;
        private static readonly Dictionary<TKey, List<TValue>> cache = new();
        protected string? größe, name = Compute("x");
        public event EventHandler<OrderArgs>? Taken;
        public event Action Sent { add { Attach(value); } remove { Detach(value); } }

        static OrderService() => Registry.Register(typeof(OrderService<,>));

        [Inject]
        public OrderService([FromServices] IClock clock, int retries = 3, params string[] names) : base(clock, "x")
        {
            this.name = names[0];
        }

        private OrderService() : this(SystemClock.Instance) { }

        ~OrderService() { Dispose(false); }

        /// <summary>The page size.</summary>
        [JsonPropertyName("size")]
        public virtual int Size { get; protected set; } = Defaults.Size();
        public bool Empty => cache.Count == 0;
        public required Order this[TKey key, int at] { get => Find(key); init { Store(key, value); } }
        int IRepository<TKey, TValue>.Count => Count();

        public static OrderService<TKey, TValue> operator +(OrderService<TKey, TValue> a, TKey b) => a.Add(b);
        public static implicit operator string(OrderService<TKey, TValue> s) => s.ToString();

        public delegate void Handler<T>(object sender, T args);

        [HttpGet("{id}"), Authorize(Roles = "admin")]
        public async Task<T?> FindAsync<T>(TKey key, ref int count, out string error, CancellationToken token = default) where T : class, TValue
        {
            ArgumentNullException.ThrowIfNull(key);
            var order = await repository.Load(key).ConfigureAwait(false);
            List<T> hits = this.Search<T>(key), more = null!;
            foreach (KeyValuePair<TKey, TValue> e in entries) { log.Info($"{e.Key()} {Describe(e):x}"); }
            foreach (var x in Many()) x.Go();
            foreach (var (k, v) in pairs) Use(k, v);
            for (int i = Start(); i < 10; i++) Step(i);
            using var stream = File.OpenRead(path);
            using (Reader reader = new StreamReader(stream)) { reader.Read(); }
            try { Run(); } catch (IOException e) when (Retry(e)) { throw new ShopError(e) { Code = Code() }; }
            int.TryParse("1", out var parsed);
            if (order is Order { Id: > 0 } o && o.IsValid()) Accept(o);
            var (a, b) = Pair();
            Item? made = new(1, 2) { Name = Name() };
            var list = new List<int>(10) { One(), 2 };
            var anonymous = new { A = Make() };
            Func<int, int> square = n => Times(n, n);
            Func<int, int> typed = static (int n) => { return Twice(n); };
            items.Where(i => i.Ok).Select(Convert).ToList().ForEach(this.Touch);
            var result = shape switch { Circle c => c.Area(), Square { Side: var s } => Sq(s), _ => base.Area() };
            handler?.Invoke(this, args);
            order?.Customer?.Notify();
            handlers["a"](1);
            Taken += OnTaken;
            int Local<U>(int n) => n * Twice(n);
            Local<int>(2);
            nameof(order);
            object boxed = (object)Value();
            return query switch { null => default, _ => from q in Source() where q.Ok() select q.Map() };
        }

        public abstract decimal Price(TValue order, params ReadOnlySpan<int> rest);

        void IDisposable.Dispose() => GC.SuppressFinalize(this);

        [DllImport("kernel32")] private static extern bool Beep(int a);

        protected internal sealed class Builder<T> { internal Builder<T> With(T t) { return this; } }

        private enum Inner { A }
    }

    public interface IVisitor<out T> : IEnumerable<T>, IDisposable
    {
        const int Depth = 3;
        T Visit(Node node);
        void End() { Flush(); }
        static abstract T Create();
        int Count { get; }
        event Action Done;
        private void Hidden() { }
    }

    /// <summary>The state of an order.</summary>
    [Flags]
    public enum State : byte
    {
        /// <summary>Just made.</summary>
        New = 1,
        [Obsolete("x")] Paid = New << 1,
        Sent,
    }

    public readonly struct Point : IEquatable<Point>
    {
        public readonly int X, Y;
        public Point(int x, int y) => (X, Y) = (x, y);
        public bool Equals(Point o) => X == o.X;
    }

    public record Person(string Name, [property: Key] int Age = 3) : Entity(Name), INamed
    {
        public string Nick { get; init; } = Name.ToLower();
    }

    internal readonly record struct Money(decimal Amount);

    public class Primary(IClock clock, int n) : Base(clock) { int M() => clock.Now(n); }

    public static class Extensions
    {
        public static string Shout(this string s, int times = 2) => s.ToUpper();
    }

    namespace Deep.Er { class Hidden { } }
}

class OrderTests
{
    [Fact] public void TakesOrders() { Assert.Equal(1, service.Size); }
    [Theory, InlineData(1)] public void Many(int n) { }
    [SetUp] public void Init() { }
#if DEBUG
    void Debugging() { Trace(); }
#else
    void Releasing() { }
#endif
    #region helpers
    void Helper(__arglist) { }
    #endregion
}
