unsafe extern "C" {
    fn first(a: u8) -> u8;
    pub safe fn second();
}
unsafe extern "C" fn third() { first(1); }
pub unsafe extern "C" {
    static FOURTH: u8;
    fn fifth();
}
// unsafe extern "C" { in a comment
fn sixth() { fifth(); let a = c_str!("x"); str!("y"); }
