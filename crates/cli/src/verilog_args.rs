//! Options that say how a Verilog design is read.

use crate::input::{MAX_BYTES, read_bytes};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use tenet_lang::codes::verilog as codes;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::frontend::decode;
use tenet_lang::verilog::file_list::{Lists, define};
use tenet_lang::verilog::sources::Others;
use tenet_lang::verilog::yosys;

/// How a Verilog design is read.
#[derive(Args, Clone, Debug, Default)]
pub struct VerilogArgs {
    /// The top module [default: the one that no other module uses]
    #[arg(long, value_name = "MODULE", display_order = 800, help_heading = "Verilog")]
    pub top: Option<String>,
    /// The input that has to be the clock of all registers
    #[arg(long, value_name = "INPUT", display_order = 801, help_heading = "Verilog")]
    pub clock: Option<String>,
    /// This input is active in the first cycle and never again, and nothing is checked in that cycle; `!INPUT` is active
    /// when it is 0; `none` for a design without [default: the obvious one, if there is]
    #[arg(long, value_name = "[!]INPUT", display_order = 802, help_heading = "Verilog")]
    pub reset: Option<String>,
    /// A list of further files of a design, with +incdir+ and +define+; can be repeated
    #[arg(
        short = 'f',
        long = "file-list",
        value_name = "LIST",
        display_order = 804,
        help_heading = "Verilog"
    )]
    pub lists: Vec<PathBuf>,
    /// A folder in which included files are looked for; can be repeated
    #[arg(
        short = 'I',
        long = "include",
        value_name = "FOLDER",
        display_order = 805,
        help_heading = "Verilog"
    )]
    pub folders: Vec<PathBuf>,
    /// Define a macro before the first file; can be repeated
    #[arg(
        short = 'D',
        long = "define",
        value_name = "NAME[=VALUE]",
        display_order = 806,
        help_heading = "Verilog"
    )]
    pub defines: Vec<String>,
    /// The Yosys that reads Verilog [default: TENET_YOSYS, else yosys on the PATH, else that of `make setup`]
    #[arg(long, value_name = "PATH", display_order = 803, help_heading = "Verilog")]
    pub yosys: Option<PathBuf>,
}

impl VerilogArgs {
    /// The error for a file in another language.
    pub fn refusal(&self) -> Option<Diagnostic> {
        let yosys = self.yosys.as_ref().map(|path| path.display().to_string());
        let first = |paths: &[PathBuf]| paths.first().map(|path| path.display().to_string());
        let (list, folder) = (first(&self.lists), first(&self.folders));
        let define = self.defines.first().cloned();
        let options = [
            ("top", &self.top),
            ("clock", &self.clock),
            ("reset", &self.reset),
            ("file-list", &list),
            ("include", &folder),
            ("define", &define),
            ("yosys", &yosys),
        ];
        let (name, value) = options.into_iter().find_map(|(name, value)| Some((name, value.as_ref()?)))?;
        let message = format!("`--{name} {value}` is for Verilog files");
        Some(Diagnostic::global(&codes::ONLY_FOR_VERILOG, message))
    }
}

impl VerilogArgs {
    /// The files, folders and macros beside those files of a design that the command line names itself.
    pub fn others(&self) -> Result<Others, Diagnostic> {
        let mut found = Others {
            files: Vec::new(),
            folders: self.folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect(),
            defines: self.defines.iter().map(|text| define(text)).collect(),
        };
        let mut read = |name: &str| {
            let bytes = read_bytes(Path::new(name), MAX_BYTES).and_then(decode);
            bytes.map_err(|refusal| refusal.message)
        };
        let mut lists = Lists { read: &mut read, exists: &|name| Path::new(name).exists() };
        for list in &self.lists {
            let added = lists.add(&list.to_string_lossy(), &mut found);
            added.map_err(|why| Diagnostic::global(&codes::FILE_LIST, why))?;
        }
        Ok(found)
    }
}

/// Chooses the Yosys that reads Verilog: the one that is named here or in the environment, the one on the PATH, or the one that
/// set-up has put into the checkout that this program was built in.
pub fn choose_yosys(named: Option<&Path>) -> YosysOrigin {
    let from_environment = std::env::var_os(yosys::VARIABLE).is_some_and(|value| !value.is_empty());
    let provided = || provided_yosys().inspect(|program| yosys::choose(program));
    match named {
        Some(program) => {
            yosys::choose(program);
            YosysOrigin::Option
        }
        None if from_environment => YosysOrigin::Environment,
        None if on_path("yosys".as_ref()).is_some() => YosysOrigin::Path,
        None if provided().is_some() => YosysOrigin::Setup,
        None => YosysOrigin::Nowhere,
    }
}

/// Why this Yosys was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum YosysOrigin {
    /// `--yosys` names it.
    Option,
    /// The environment does.
    Environment,
    /// It is on the PATH.
    Path,
    /// Set-up has provided it, and there is none on the PATH.
    Setup,
    /// There is none.
    Nowhere,
}

impl YosysOrigin {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            YosysOrigin::Option => "--yosys",
            YosysOrigin::Environment => yosys::VARIABLE,
            YosysOrigin::Path => "on the PATH",
            YosysOrigin::Setup => "from make setup; there is none on the PATH",
            YosysOrigin::Nowhere => "nowhere",
        }
    }
}

/// The Yosys that set-up has provided.
fn provided_yosys() -> Option<PathBuf> {
    let built_in = option_env!("TENET_DEPS").map(PathBuf::from);
    let program = std::env::current_exe().ok();
    // A checkout that was moved takes its programs along.
    let around = program.iter().flat_map(|program| program.ancestors().map(|folder| folder.join(".deps")));
    let places = around.chain(built_in).map(|deps| deps.join("yosys/bin/yosys"));
    places.into_iter().find(|place| place.is_file())
}

/// The path of a program that is called by its name only.
pub fn on_path(program: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|place| place.is_file())
}
