use std::{fmt, io::{self, Read as _, Write as W}};
pub(crate) use self::inner::*;
extern crate alloc as core_alloc;

impl<'a, T: Clone> Holder<'a, T> where T: Send {
    pub const MOST: usize = most();
    type Item = T;
    fn patterns(&self, (a, _, b): (K, u8, V), Pair(_, c): Pair, &d: &K, mut e: K, [f, .., g]: [V; 4]) -> impl Iterator<Item = T> + 'a {
        let (_, h) = pair();
        let (i, .., j) = triple();
        let (k, l): (K, Vec<(V, K)>) = both();
        let Pair(_, m) = made() else { return fallback() };
        let Named { n, o: (_, p), ref q, .. } = named();
        let r @ Shape::Round(s) = shape();
        let ref mut t = other();
        let u: _ = hole();
        let [v, w, rest @ ..] = list();
        let x;
        x = late();
        let UPPER = constant();
        if let Some(y) | Ok(y) = either() && ready(y) { use_it(y); }
        while let Some((_, z)) = next() { use_it(z); }
        for (_, aa) in pairs() { use_it(aa); }
        'outer: for ab in list().iter().rev() { break 'outer; }
        match value() {
            Some(ac) if ac.ok() => ac.run(),
            Ok(Shape::Tuple(_, ad)) => ad.run(),
            Err(ref ae) => ae.run(),
            Shape::Fields { af, ag: ah, .. } => af.run(ah),
            1..=5 | 7 => small(),
            MAX => most(),
            aj @ (1 | 2) => aj.run(),
            &[ak, _] => ak.run(),
            _ => {}
        }
        let al = |am, (_, an): (K, V), &ao: &K, mut ap: V| am.run(an, ao, ap);
        let aq = move || self.run();
        let ar = async move { later().await?; };
        let at = unsafe { raw() };
        let au = loop { break brk(); };
        self.done = Self::finish;
        self.list.push(Box::new(|av| av.run()));
        other.done = Some(Self::finish as fn(u8));
        Holder { done: Self::finish, other: helper, short, deep: &helper, ..Default::default() };
        Holder::new(Self::finish, helper, &helper, Some(helper), #[cfg(x)] helper);
        helper.call(Self::finish);
        <K as Runs>::run(&k); <Vec<K>>::new(); K::<u8>::make::<T>(); k.make::<K>(1); (self.done)(1); (|aw| aw)(2);
        k.0.1.run(); k.await.run(); k?.run(); (*k).run(); -k; !k; k as u8; k[1].run(); &mut k; k..l; return k
    }
    fn nested(self: Box<Self>) { fn inner(n: u8) {} struct Local; impl Local { fn go() {} } inner(1); use self::deep as shallow; }
    mine! { pub fn in_macro(self, n: Vec<Vec<u8>>) -> K where K: X { n.run() } const fn bare() {} }
}
impl Drop for Holder<'_, u8> { fn drop(&mut self) { clean() } }
impl<F> Trait for F where F: Fn(u8) -> K {}
unsafe impl Send for [K] {}
impl dyn Runs { fn on_dyn(&self) {} }
trait Runs: Base + 'static { type Out: Clone + Default; const N: u8 = 1; fn required(&self) -> Self::Out; fn provided(&self) { self.required(); } }
enum Shape { Unit = 1, Round(K), Fields { k: K }, }
union Raw { a: u8, b: f32 }
static mut COUNT: Vec<K> = Vec::new();
type Alias<T> = Result<T, Error>;
mod inner { pub(super) fn deep() { super::top(); self::deep(); crate::top() } #[cfg(test)] mod tests { use super::*; #[test] fn tested() { deep() } #[tokio::test(flavor = "x")] async fn async_tested() {} } }
#[derive(Debug, Clone)] #[serde(default = "make_default")] pub struct Unit;
pub struct Tuple(pub K, #[serde(skip)] u8);
extern "C" { fn native(n: i32) -> i32; static errno: i32; }
pub async unsafe extern "C" fn all(n: u8, _: K) {}
const fn top() {}
macro_rules! mine { ($a:expr) => { helper($a) }; (@inner $($b:ident),*) => { $($b.run();)* }; }
fn macros() {
    println!("{} {}", a.b(1).c, f::<u8>::g(2)); vec![k.run(); len()]; assert_eq!(x.run(), y?.run(), "{}", z[0].run());
    mine! { let q: Vec<Vec<u8>> = r(); let mut s = t(); let (u, v) = w(); let x2; if let Some(y2) = z2() { y2.run() } }
    mine!(|a, b: Vec<u8, K>, mut c: D| a.run(b, c)); mine!(move |e| { e.run() }); mine!(x || y()); mine!(let A(b) = c() => d(b), Some(e) => f(e));
    mine!(fn g(h: u8) { i() } struct J(K); #[attr(k)] l(m)); mine!($n.o(); $($p.q()),*); mine!(Vec::<Vec<u8>>::new().r().s::<T>(u));
    outer::mine!(v!(w(1))); path::to::call!(x.y!(2)); select! { z = fut() => done(z), else => stop() }
}
cfg_if! { if #[cfg(unix)] { #[inline] pub(crate) fn unix(mut self, a: &'static str, (b, c): (u8, u8)) -> Vec<u8> { d() } impl<T> Runs for Gen<T> where T: X { fn gen(&self) { e() } } #[test] fn t() {} } else { pub unsafe fn other(); } }
pub extern crate serde as ser;
extern crate log;
pub use {a::b, c as d, e::{self, f::*}};
use *;
use ::root::path;
fn given(done: fn(u8), text: String, gen: F, opt: Option<Box<dyn Fn(u8)>>, ty: Self, path: PathBuf, low: u8, slice: &[u8], ptr: unsafe fn(u8)) {
    self.a = done; self.b = text; self.c = gen; self.d = opt; self.e = ty; self.f = path; self.g = low; self.h = slice; self.i = ptr; local = done; self.j = Box::new(done); self.k = Some(Arc::new(given)); self.l = Rc::new(x, y); self.m = Other::new(given); self.n = &given; self.o = given as fn(u8); self.p = Upper; self.q = Upper::lower; self.r = 1; self.s.t = given; self.u[0] = given; self.v = std::sync::Arc::new(given); self.w = Box::pin(given); self.x = &&given; self.y = (given); self.z = Some(Some(Some(Some(Some(given)))));
    Holder { done }; Holder { done: done, text, gen: gen }; Holder::<u8> { done: given }; path::Holder { done: given, ..base }; Self { done }; Kind::One { done: given };
    take(done); take(1, done, given); (take)(given); take::<T>(given); a.take(given).more(given); take(#[cfg(x)] given, Upper::lower); take(text, gen); Box::new(given); take(|x| given);
}
//! inner text that comes too late
fn binds(v: V) {
    let V(a, .., b) = v; let V(.., c) = v; let d @ V(e) = v; let ref mut f = v; let &g = v; let &mut h = v; let (i, (j, k)) = v; let [l, .., m] = v;
    let W { n, o: p, ref q, r: s @ 1..=2, .. } = v; let x::V(t) = v; let Some(&u) = v; let V(_) = v; let y | z = v; let (mut aa, &bb): (u8, &u8) = v;
    match v { V(1) | V(2) => (), cc @ 1..=5 => (), V(dd) if dd > 1 => (), W { ee: V(ff, gg) } => (), _ => () }
    if let V(hh) = v && let W { ii } = v {} while let V(jj, ..) = v {} for (kk, V(ll)) in v {} let mm = |V(nn), oo: u8, (pp, qq)| 1;
}
mod inner {
    //! the text of inner
    #![allow(dead_code)]
    //! and more of it
    fn a() {}
    //! not this
}
