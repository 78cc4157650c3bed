fn generics() {
    m!(a::<b<c>>().d()); m!(a::<b<c<d>>>().e()); m!(a::<b<c<d<e>>>>().f()); m!(x::<a<b>>::c()); m!(y, x::<a<b<c>>>::d(), z::e());
    m!(>a()); m!(>> a()); m!(<a>()); m!(::<a>()); m!(a < b >::c()); m!(a::<>::b()); m!(a > ::<b>()); m!(f, ::<b>());
    m!(a << b(c)); m!(a >> b(c).d()); m!(a -> b(c)); m!(a => b(c)); m!(a::b::<c>!(d)); m!(!a!(b)); m!(a!(b)?.c());
}
fn closures() {
    m!(|a| b); m!(|a|); m!(|a, b: c<d, e>, mut f: g| h()); m!(|a: b, | c()); m!(|, a| b()); m!(|a:| b()); m!(|mut| a()); m!(|mut a| a.b());
    m!(|a: c| { a.d() }, a.e()); m!(|a: c| a.d(), |b: d| b.e()); m!(|a: b<c<d>>, e: f| g()); m!(x = |a: b| a.c()); m!(x; |a: b| a.c());
    m!({ |a: b| a.c() }); m!([|a: b| a.c()]); m!((|a: b| a.c())); m!(x |a: b| a.c()); m!(move |a: b| a.c()); m!(moved |a: b| a.c());
}
fn lets() {
    m!(let a = b; a.c()); m!(let a: b = c; a.d()); m!(let mut a: b<c> = d; a.e()); m!(let a: = c; a.d()); m!(let a: b c; = d;);
    m!({ let a = b(); a.c() } a.d()); m!(let a = b == c; a.d()); m!(let a; a = b; a.c()); m!(let a = ; a.c()); m!(let mut); m!(let mut a);
    m!(x let a = b.c(); y.d()); m!(if let a = b { c() }); m!(while let a(b) = c() { b.d() }); m!(let a(b) = c(); b.d());
}
fn receivers() {
    m!(a.b.c()); m!(a.b().c()); m!(a[b].c()); m!(a[b](c).d()); m!(a(b)(c).d()); m!(a?.b()); m!(a??.b()); m!(a.b?.c()?.d()); m!(a!().b!());
    m!((a).b()); m!([a].b()); m!(x (a).b()); m!(x, (a).b()); m!(x; (a).b()); m!(= (a).b()); m!(({a}).b()); m!({a} .b()); m!(.a()); m!(..a()); m!(::a());
    m!(x, ::a()); m!(x, .a()); m!(x = .a()); m!([::a()]); m!({::a()}); m!(a::b.c()); m!(a.b::c()); m!(1.a()); m!("x".a()); m!('x'.a()); m!(x::1.a());
}
impl a::b::C { fn d() {} }
impl<'x, T> e::F<'x, T> { fn g(&self) {} }
impl H for &'static mut a::I<J> { fn k(&self) {} }
impl L for [M] { fn n() {} }
impl O for (P, Q) { fn r() {} }
impl S for fn(T) -> U { fn v() {} }
impl W for dyn X + Send { fn y() {} }
impl !Z for C {}
items! { pub(crate) fn a() {} pub(in x::y) async fn b() {} #[c(d)] pub(super) unsafe fn e() {} (f) fn g() {} x (h) fn i() {} pub fn j(k: L<M>, (n, o): (P<Q, R>, S)) -> T<U> { v(n) } }
