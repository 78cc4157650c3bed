/// Größe in Bytes.
/// Zweite Zeile.
pub fn größe(text: &str) -> usize {
    text.len(
}

pub struct After {
    pub name: String,
    pub broken: Vec<,
    pub last: u8,
}

impl After {
    pub fn good(&self) -> usize { größe(&self.name) }
}

fn unfinished(a: u8, -> {

mod m { fn kept() { call(1, 2); } }
