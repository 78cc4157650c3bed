#include "forms.hpp"
#include <vector>
#ifdef A
#include "a.hpp"
#endif
#define MAX_SIZE 10
#define CALL(x, y) helper(x); other(y)
#define ALIAS close
#define PASTE(a) make_##a()
#undef MAX_SIZE
extern "C" { void c_function(int); int c_value; }
extern "C" int single(void);
using namespace std::chrono; using a::b::c; using Size = unsigned long; typedef int (*Callback)(int, void *);
namespace fs = std::filesystem;
namespace outer::inner { namespace { int hidden() { return 1; } } inline namespace v2 { struct In {}; } }
template <typename T, int N = 3, typename... Rest> class Gen : public Base<T>, private virtual other::Side {
  friend class Friend; friend void befriended(Gen &g) { g.run(); }
 public:
  Gen() = default; explicit Gen(int n) noexcept(true) : Base<T>(n), other::Side{n}, count_{n}, Member(n), field_(make()) { init(); }
  Gen(const Gen &) = delete; Gen(Gen &&o) : Gen(1) {}
  ~Gen() override { close(); }
  virtual void pure(int a = first(), const char *b = "x", ...) const = 0;
  static constexpr int MOST = most(); inline static std::vector<T> all{1, two()};
  T &operator[](int i) { return at(i); } Gen &operator=(const Gen &o) { return assign(o); } bool operator==(const Gen &) const; operator bool() const { return ok(); }
  void *operator new(size_t n); T operator()(int a) const; template <class U> U conv(U u) { return u.template get<T>(); }
  auto trailing(int a) -> decltype(a) { return a; } int bits : 3; int arr[2][3]; int *ptrs[4], plain, &ref = plain; void (*fn)(int) = &single; int (Gen::*memfn)(int);
  std::function<void(K &)> done; union { int u1; float u2; }; struct { int s1; } anon, more[2]; enum { E1 = 1, E2 = two() }; enum class Color : char { Red, Green };
 protected: int count_; private: struct Nested; class Inner { void deep(); }; [[nodiscard]] int noted(); __attribute__((unused)) int attr();
};
template <> class Gen<int, 3> { void spec(); }; template class Gen<char>; template <typename T> using Vec = std::vector<T>; template <typename T> concept Runs = requires(T t) { t.run(); };
template <typename T> T Gen<T>::at(int i) { return this->field_[i].run(); } int outer::inner::defined(int a) { return a; } Gen<int>::Inner::deep() {}
static int file_static = init_static(); const char *const names[] = {"a", name()}; struct Point { int x, y; } origin = {.x = one(), .y = 2}, *origin_ptr; thread_local int tl;
int old_style(a, b) int a; char *b; { return a; }
void locals(int n, K &k, K *p, void (*cb)(int), K arr[], const volatile K *const cv, K &&moved, int) {
  int a = one(), *b = two(), c[3] = {three()}; K d(1), e{2}, f = K(3), *g = new K(4), h[2]; auto i = k, &j = k, *l = &k; auto [m, o] = pair(); static K q; K r(), s(t); unsigned long u(5); std::vector<K> v(10, k); const auto w{p}; K x = {1, 2};
  for (int y = start(), z = 0; y < end(); ++y, z--) step(y); for (auto &aa : list()) use(aa); for (K ab : {k, d}) use(ab); for (auto [ac, ad] : map) use(ac);
  while (auto ae = next()) use(ae); do { again(); } while (more()); if (int af = cond(); af > 0) use(af); else if (auto *ag = other()) ag->run(); else { none(); } if constexpr (sizeof(K) > 1) use(1);
  switch (int ah = kind()) { case 1: eight(); break; case Color::Red: { K k; k.run(); } default: nine(); } try { risky(); } catch (const Error &ai) { ai.run(); } catch (...) { throw Error(ai); }
  k.run(); p->run(); k.a.b->c.run(); (*p).run(); p[0].run(); k().run(); this->run(); (cb)(1); cb(2); (*cb)(3); k.fn(4); k.done(5); (k.*memfn)(6); (p->*memfn)(7); ::global(8); a::b::c(9); Gen<int>::make(10); a::Gen<K, 3>::all[0].run(); k.template get<int>(11); get<int>(12); k.Base::run(); p->a::Base::run(); K::operator()(13);
  auto aj = [&, n = one()](K ak, auto... al) mutable -> int { return ak.run(al...); }; aj(k); [](int am) { use(am); }(14); std::sort(v.begin(), v.end(), [](const K &an, K ao) { return an.less(ao); });
  k.done = &single; p->done = single; k.fn = [](int) {}; job.done = Gen<int>::run; set(&single, &K::run, single, cb); reg(this, &K::run); k = K{.done = single, .fn = &single, .inner = {.x = single}}; struct ops local = { .read = single, [3] = other, single };
  new K; new (place) K(15); new K[3]; new a::K{16}; delete g; delete[] h; (K)n; K(n); static_cast<K *>(p)->run(); reinterpret_cast<a::K &>(n).run(); sizeof(K); sizeof n; alignof(K); typeid(k).name(); decltype(k) ap; noexcept(k.run()); co_await k.later(); co_return k; k << n >> p; n ? k : d; a = b = c[0]; -n; !k; ~n; &k; *p; n++; k += d; (a, b); "s"_lit; R"(raw)"; u8'c'; 1'000; goto done; done: return;
  CALL(k.run(), p->run()); MAX_SIZE; PASTE(x); Q_EMIT changed(n); struct Local { void in() {} } aq; aq.in(); using Alias2 = K; Alias2 ar; typedef K Alias3; Alias3 as; enum Kinds { A1 }; extern int ext; void proto(int); asm("nop"); static_assert(sizeof(int) == 4, "x"); assert(n > 0); (void)n; if (n) ; else ;
#if defined(X) && \
    defined(Y)
  seventeen();
#elif Z
  eighteen(
#else
  nineteen(
#endif
  n);
}
EXPORT_API int exported(void); class EXPORT_API Exported : public QObject { Q_OBJECT Q_PROPERTY(int x READ x) public slots: void slot(); signals: void changed(int); Q_SIGNALS: void more(); };
BEGIN_NAMESPACE int macro_before; END_NAMESPACE TEST(Suite, Name) { run(); } TEST_F(Fixture, Other) { run(); } BOOST_AUTO_TEST_CASE(boosted) { run(); }
struct Ops { bool operator ==(const Ops &o) const; Ops operator + (int n); void *operator new [](unsigned long n); void operator delete(void *p); Ops operator,(int); operator const char *() const; explicit operator bool(); Ops operator""_x(int); Ops &operator->(); Ops operator ()(int a, int b); };
bool operator !=(const Ops &a, const Ops &b) { return !(a == b); } bool Ops::operator ==(const Ops &o) const { return eq(o); } Ops::operator bool() { return ok(); } outer :: inner :: Type spaced(outer::inner::Arg a);
void variadic(const char *f, ...); template <typename... Ts> void pack(Ts &&...ts) { use(ts...); } void unnamed(int, char *, void (*)(int), int (&arr)[3], int arr2[], const Ops & = Ops()); auto fn(int a) -> std::vector<Ops>; auto (*ptr)(int) -> int; int (*returns_fn(int a))(double b) { return get(a); } int (*(*deep)(int))[3]; char (&ref(int))[2];
