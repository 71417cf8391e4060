//! A result that did not pass its own check: a bug of this program, so there is no verdict (exit 6).

use tenet_report::json;

use crate::args::OutputArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::Input;
use crate::watchdog;

/// Reports the check that failed, in a sentence without its end.
pub fn no_verdict(
    what: &str,
    input: &Input,
    output: OutputArgs,
    console: &mut Console,
) -> anyhow::Result<Exit> {
    drop(watchdog::answer());
    let version = env!("CARGO_PKG_VERSION");
    if output.json {
        console.answer_json(&json::without_verdict(version, &input.diagnostics, &input.text()))?;
    }
    console.log(&format!(
        "{what}\nThis is a bug in tenet {version}, and so there is no verdict. Please report it with the model.\n"
    ));
    Ok(Exit::CheckFailed)
}
