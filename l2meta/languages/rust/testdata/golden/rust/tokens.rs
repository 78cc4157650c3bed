wrapped! {
    group (first) fn go(a: K) -> u8 { a.run() }

    #[inline]
    pub(crate) fn marked(&self) {
        let made: K = K::new();
        made.run();
        helper(|x| x.run(), "a");
    }

    fn declared(&self);

    impl<T> Trait for Held<T> {
        fn method(&self) { self.marked(); }
    }
}
