//! What the operating system says about memory. Only Linux tells; elsewhere there is no answer and no default limit.

use std::fs;

/// The most memory this process has had, in megabytes.
pub fn peak_memory_mb() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:").map(|kb| kb.div_ceil(1024))
}

/// The memory that this process has now, in bytes.
pub fn used_memory() -> Option<usize> {
    let kb = kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")?;
    usize::try_from(kb.saturating_mul(1024)).ok()
}

/// Memory that can be used without swapping, in bytes.
pub fn available_memory() -> Option<usize> {
    let kb = kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    usize::try_from(kb.saturating_mul(1024)).ok()
}

/// The value of a line such as `VmHWM: 123 kB`.
fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_kernels_tables() {
        assert_eq!(kilobytes("Name:\tx\nVmHWM:\t  2048 kB\n", "VmHWM:"), Some(2048));
        assert_eq!(kilobytes("VmPeak:\t 1 kB\n", "VmHWM:"), None);
    }
}
