//! Output after a bug in this program: a short note instead of a backtrace; and an object for a program that reads JSON.

use crate::watchdog;

use std::any::Any;
use std::io::Write;
use std::panic::PanicHookInfo;
use std::sync::OnceLock;
use std::time::Instant;

/// Replaces the standard message.
pub fn install() {
    std::panic::set_hook(Box::new(report));
}

/// A panic in a search thread makes the joining thread panic too; one note is enough.
static REPORTED: OnceLock<(String, Instant)> = OnceLock::new();

fn report(info: &PanicHookInfo<'_>) {
    REPORTED.get_or_init(|| {
        let place = info.location().map_or("an unknown place".to_string(), ToString::to_string);
        let what = message(info.payload());
        let version = env!("CARGO_PKG_VERSION");
        // The terminal may be closed; the error cannot be reported then.
        let note = format!(
            "\nthis is a bug in tenet {version}, not in your model: {what} ({place})\n\
             Nothing that was printed before this line is a verdict. Please report it with the command line and, if \
             you can, the model.\n"
        );
        let _ = std::io::stderr().write_all(note.as_bytes());
        (format!("internal error: {what} ({place})"), Instant::now())
    });
}

/// Prints the object of a command that has panicked, if one is expected.
pub fn answer() {
    let error = REPORTED.get().map_or("internal error", |(error, _)| error);
    if let Some((_answering, object)) = watchdog::failure(error) {
        let mut stdout = std::io::stdout().lock();
        let _ = stdout.write_all(object.as_bytes()).and_then(|()| stdout.flush());
    }
}

/// When there was a panic in any thread. No verdict is given from then on.
pub fn since() -> Option<Instant> {
    REPORTED.get().map(|(_, since)| *since)
}

/// The message of a panic: a literal or a formatted text.
fn message(payload: &(dyn Any + Send)) -> &str {
    let literal = payload.downcast_ref::<&str>().copied();
    literal.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use crate::args::ColorChoice;
    use crate::console::Console;
    use std::process::Command;

    /// Set for the process that panics.
    const CHILD: &str = "TENET_TEST_PANIC";

    /// Even if the thread is never joined. As a panic ends the process, the test runs itself in another one.
    #[test]
    fn no_verdict_follows_a_panic() {
        if std::env::var_os(CHILD).is_some() {
            super::install();
            let _ = std::thread::spawn(|| panic!("a bug")).join();
            Console::new(ColorChoice::Never).answer("a verdict\n").expect("standard output is there");
            return;
        }
        let name = "panics::tests::no_verdict_follows_a_panic";
        let test = std::env::current_exe().expect("this is a program");
        let output = Command::new(test).args([name, "--exact", "--nocapture"]).env(CHILD, "1").output();
        let output = output.expect("it runs");
        let (printed, told) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(told.contains("this is a bug in tenet"), "{told}");
        assert!(!printed.contains("a verdict"), "{printed}");
        assert_eq!(output.status.code(), Some(101));
    }
}
