//! `--log` and `--dump-smt`: a record of the work while it happens.
//!
//! Engines and solvers emit events through `tracing`; here is the subscriber, if the command line asks for it. One subscriber
//! does both: the filters of several would have to be evaluated for every event, with nothing to gain. Nothing is buffered,
//! because the process may end at any moment (`watchdog`), and the last line is the one that matters then.

mod fields;
mod lines;
mod questions;

use crate::args::{Cli, Command};
use crate::log_args::LogArgs;
use anyhow::Context as _;
use fields::Fields;
use lines::Lines;
use questions::Questions;
use std::path::Path;
use tenet_solve::{QUESTION, SMTLIB};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::{LookupSpan, Registry};

/// The log options of a command, if it has any: the log and the folder for questions.
pub fn options(cli: &Cli) -> (Option<&LogArgs>, Option<&Path>) {
    let both = match &cli.command {
        Command::Prove(args) => &args.log,
        Command::Abstract(args) => &args.log,
        Command::Verify(args) => &args.log,
        Command::Explore(args) => return (Some(&args.log), None),
        _ => return (None, None),
    };
    (Some(&both.log), both.dump_smt.as_deref())
}

/// Installs the subscriber, if anything is to be recorded.
pub fn start(cli: &Cli) -> anyhow::Result<()> {
    let (log, folder) = options(cli);
    let log = log.and_then(|log| Some((log.log.as_deref()?, log.log_level.into())));
    if log.is_none() && folder.is_none() {
        return Ok(());
    }
    let recorder = Recorder {
        lines: log.map(|(file, level)| Lines::create(file, level)).transpose()?,
        questions: folder.map(Questions::create).transpose()?,
    };
    tracing::subscriber::set_global_default(Registry::default().with(recorder))
        .context("cannot start the log")
}

/// Records events.
struct Recorder {
    lines: Option<Lines>,
    questions: Option<Questions>,
}

impl Recorder {
    fn logs(&self, level: Level) -> bool {
        self.lines.as_ref().is_some_and(|lines| level <= lines.level)
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        match metadata.target() {
            SMTLIB => self.questions.is_some(),
            QUESTION => self.questions.is_some() || self.logs(*metadata.level()),
            // Questions are recorded with the spans that they come from.
            _ => self.logs(*metadata.level()) || metadata.is_span() && self.questions.is_some(),
        }
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        let logged = self.lines.as_ref().map_or(LevelFilter::OFF, |lines| lines.level.into());
        Some(if self.questions.is_some() { LevelFilter::TRACE } else { logged })
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        span.extensions_mut().insert(Place(fields.of_span(span.name())));
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let place = place(event, &context);
        if event.metadata().target() == QUESTION
            && let (Some(questions), Some(text)) = (&self.questions, fields.take("smtlib"))
        {
            let file = questions.write(&place, &fields, &text);
            fields.add("file", file);
        }
        let level = *event.metadata().level();
        if let Some(lines) = self.lines.as_ref().filter(|lines| level <= lines.level) {
            lines.write(level, &place, &fields);
        }
    }
}

/// A span in its printed form.
struct Place(String);

/// The place of an event: the spans around it, outermost first.
fn place<S: Subscriber + for<'a> LookupSpan<'a>>(event: &Event<'_>, context: &Context<'_, S>) -> String {
    let Some(scope) = context.event_scope(event) else { return "tenet".to_owned() };
    let places: Vec<String> = scope
        .from_root()
        .filter_map(|span| span.extensions().get::<Place>().map(|place| place.0.clone()))
        .collect();
    places.join(": ")
}
