fn edges() {
    m!(); m!(a); m!(a()); m!(a.b()); m!(.b()); m!(a::b()); m!(::b()); m!(a.b::<c>()); m!(b::<c, d<e>>()); m!(<a as b>::c());
    m!(a()?.b()); m!(a()?); m!(a[0].b()); m!(a.0.b()); m!(a!().b()); m!(a!(b()).c()); m!(!a()); m!(-a.b()); m!(&mut a.b()); m!(*a.b());
    m!("x".a()); m!(1.a()); m!((a).b()); m!({ a }.b()); m!(self.a()); m!(Self::a()); m!(crate::a()); m!(super::a::b());
    m!(let); m!(let a); m!(let a;); m!(let a = ); m!(let a = b); m!(let a = b;); m!(let a: = b;); m!(let a: T = b;); m!(let mut a = b(); a.c()); m!(let A = b;); m!(let (a, b) = c;); m!(let a = b = c;);
    m!(|a|); m!(|a| a); m!(|a| { a.b() }); m!(|a: T| a.b()); m!(|a: &T<U, V>, mut b: W<X>| b.c()); m!(|_| a()); m!(|(a, b)| c()); m!(|| a()); m!(a | b()); m!(x, |a| a.b()); m!(= |a| a.b()); m!([|a| a.b()]); m!(move |a| a.b()); m!(|a, |b| c);
    m!(fn a()); m!(struct A(b)); m!(enum B(c)); m!(macro_rules! d(e)); m!(A(b) => c(d)); m!(a (b) c (d)); m!(a, b(c), d); m!(#[a(b)] c(d)); m!(#a(b)); m!($a(b)); m!($a.b()); m!($($a.b()),*); m!(a { b() }); m!(a [b()]); m!(if a() { b() } else { c() });
    m!(a(b(c(d())))); m!(a(1, 2)); m!(a(1, 2,)); m!(a(,)); m!(a((1, 2), [3, 4])); m!(a(b, |c| d)); m!(a>>b()); m!(a > b()); m!(a::<b>>()); m!(x<y>::z()); m!(Vec<u8>::new());
}
items! { fn a() {} pub fn b(self) -> u8 { c() } pub(super) async unsafe fn d(&mut self, e: u8, (f, g): (u8, u8), mut h: Vec<Vec<u8>>,) -> Result<Vec<u8>, E> where E: F { i() } extern "C" fn j(k: *const u8); #[test] fn l() {} #[tokio::test] async fn m() { n() } #[a] #[b(c)] pub const fn o<T: P<Q>>(r: T) {} fn p; fn (q) r() {} default fn s(self: Box<Self>, ..) {} }
items! { impl A { fn b(&self) { c() } } impl<T> D for E<T> where T: F { fn g() {} } impl<T> H<T> {} impl I; impl J<K<L>> { fn m() {} } a! { fn n() {} } o(p()); struct Q { r: S } mod t { fn u() {} } fn v(w: impl X<Y, Z>, a: [u8; 2]) -> impl B { c() } }
impl Holder { items! { fn in_impl(&self) {} } inner! {} }
trait Held { items! { fn in_trait(&self); } }
fn macro_in_fn() { items! { fn nested() { a() } } items!(fn paren() { b() }); items![fn bracket() { c() }]; }
