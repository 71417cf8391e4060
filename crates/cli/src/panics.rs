//! What a user sees when this program has a bug: a short note that says so, instead of a backtrace.

use std::panic::PanicHookInfo;
use std::sync::Once;

/// Replaces the standard message.
pub fn install() {
    std::panic::set_hook(Box::new(report));
}

/// A panic in a search thread makes the thread that waits for it panic too; one note is enough.
static REPORTED: Once = Once::new();

fn report(info: &PanicHookInfo<'_>) {
    REPORTED.call_once(|| {
        let place = info.location().map_or("an unknown place".to_string(), ToString::to_string);
        let what = info.payload_as_str().unwrap_or("no message");
        let version = env!("CARGO_PKG_VERSION");
        // The terminal may be gone; there is nobody to tell then.
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            format!(
                "\nthis is a bug in tenet {version}, not in your model: {what} ({place})\n\
                 Nothing that was printed before this line is a verdict. Please report it with the command line and, if \
                 you can, the model.\n"
            )
            .as_bytes(),
        );
    });
}
