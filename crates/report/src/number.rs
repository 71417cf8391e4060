//! Readable numbers.

pub use tenet_system::words::{counted, grouped};

/// A duration with its significant digits.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => format!("{s:.2} s"),
        s if s < 100.0 => format!("{s:.1} s"),
        s => format!("{} s", grouped(s as u64)),
    }
}

/// A memory size in megabytes, rounded up so that it is never zero.
pub fn megabytes(bytes: usize) -> String {
    format!("{} MB", grouped(bytes.div_ceil(1 << 20) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        assert_eq!(
            (seconds(0.014), seconds(12.34), seconds(4321.9)),
            ("0.01 s".into(), "12.3 s".into(), "4,321 s".into())
        );
        assert_eq!((megabytes(1), megabytes(3 << 30)), ("1 MB".into(), "3,072 MB".into()));
    }
}
