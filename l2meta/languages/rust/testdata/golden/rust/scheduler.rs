//! Scheduling of jobs: a queue, its workers and the errors they report.

#![deny(missing_docs)]

extern crate alloc as heap;

use std::collections::{hash_map::{self, Entry}, HashMap};
use std::fmt::{self as format, Display};
use std::io::Read as _;
use crate::prelude::*;
pub use self::retry::{Backoff, Policy as RetryPolicy};
pub(crate) use super::metrics;

pub mod retry;

/// How many jobs a queue holds.
pub const CAPACITY: usize = compute(4) * 1024;
static mut RUNNING: AtomicUsize = AtomicUsize::new(0);
const _: () = assert!(CAPACITY > 0);

pub type Handler<T> = Box<dyn Fn(&T) -> Result<(), Error> + Send>;

/// Why a job failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The queue is full.
    #[error("queue of {limit} is full")]
    Full { limit: usize, since: Instant },
    Panicked(String, #[source] BoxError),
    Cancelled = 7,
}

/** A job
 *  and its payload.
 */
#[derive(Clone)]
/// Jobs are cheap to clone.
#[serde(rename_all = "camelCase")]
pub struct Job<'a, T: Clone + 'static, const N: usize = 4>
where
    T: Display,
{
    /// Unique in a queue.
    pub id: u64,
    #[serde(default)]
    pub(crate) payload: &'a T,
    tags: [String; N],
}

pub struct Millis(pub u64);
struct Unit;

#[repr(C)]
union Word {
    int: u32,
    float: f32,
}

/// Runs jobs.
pub unsafe trait Runner<T>: Send + Display + 'static {
    type Output: Default + Clone;
    const RETRIES: u32 = 3;

    fn run(&mut self, job: Job<'_, T>) -> Self::Output;

    /// Called once.
    fn setup(self: Box<Self>, _: usize) where Self: Sized {
        prepare(RETRIES);
    }
}

impl<'a, T: Clone + Display> Job<'a, T> {
    const KIND: &'static str = "job";

    /// Makes a job.
    #[must_use]
    pub const fn new(id: u64, payload: &'a T) -> Self {
        let (first, mut second) = split(id);
        let tags = Default::default();
        Self { id, payload, tags }
    }

    pub async fn run<F, R>(&self, mut handler: F, (low, high): (u8, u8)) -> Result<R, Error>
    where
        F: FnMut(&T) -> R,
        R: Send,
    {
        let started: Instant = Instant::now();
        let out = self.inner().lock().await?.get::<u8>(low)?;
        let parsed = "7".parse::<u64>()?;
        (self.hook)(started);
        handler(self.payload);
        <Self as Named>::name();
        Vec::<u8>::with_capacity(high as usize);
        let job = Job { id: 1, ..base() };
        let closure = |entry: &Entry, other| entry.insert(other);
        spawn(async move { job.finish().await });
        fn helper(x: i32) -> i32 {
            const LOCAL: i32 = limit();
            x + LOCAL
        }
        struct Guard(Millis);
        impl Drop for Guard {
            fn drop(&mut self) { release(&self.0) }
        }
        tracing::info!(target: "jobs", id = self.id, "ran {}", describe(self.tags.len()));
        assert_eq!(helper(1), vec![parse(b"x")?.value(), Millis(2).0, crate::clock::now::<u8>(), nested!(deep(1))]);
        match out {
            Some(n) if n.check() => Ok(convert(n)),
            _ => Err(Error::Full { limit: 1, since: started }),
        }
    }
}

#[async_trait::async_trait]
impl<'a, T> Display for Job<'a, T> {
    fn fmt(&self, f: &mut format::Formatter<'_>) -> format::Result {
        write!(f, "{}", self.id)
    }
}

unsafe impl Send for Word {}
impl !Sync for Word {}
impl<T> From<T> for hash_map::Wrapper<T> {
    type Target = T;
    fn from(value: T) -> Self { Self(value) }
}
impl dyn Named + '_ {
    fn größe(&self) -> usize { self.name().len() }
}

extern "C" {
    pub fn getpid() -> c_int;
    fn printf(fmt: *const c_char, ...) -> c_int;
    static environ: *const *const c_char;
}

#[no_mangle]
pub extern "C" fn sextant_entry(argc: c_int) -> c_int { argc }

/// Builds a map.
#[macro_export]
macro_rules! map {
    () => { HashMap::new() };
    ($($k:expr => $v:expr),* $(,)?) => {{
        let mut m = HashMap::new();
        $(m.insert($k, $v);)*
        $crate::finish(m)
    }};
}

cfg_if::cfg_if! {
    if #[cfg(unix)] {
        #[inline]
        pub(crate) async fn notify(fd: i32) -> bool { poll(fd).ready() }
        impl<T> Wake for Waker<T> {
            fn wake(&self) { self.thread.unpark() }
        }
    } else {
        fn notify() {}
    }
}

pub(crate) mod inner {
    //! Kept out of sight.
    use super::*;

    pub(in crate::inner) fn spawn() {}
    pub mod deep {
        pub struct Leaf { pub value: u8 }
        impl Leaf { pub fn get(&self) -> u8 { self.value } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "full")]
    fn rejects_when_full() {
        let queue = Queue::new();
        assert!(queue.push(1).is_err());
        if let Some(x) = queue.pop() { drop(x) }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn runs() -> Result<(), Error> {
        matches!(run().await, Ok(_));
        Ok(())
    }
}
