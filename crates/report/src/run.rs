//! The view of one run: each step with its rule, its changes, and the state after it.

use crate::finding;
use crate::shape::{Shape, Value};
use crate::source::Text;
use tenet_system::finite::program::Program;
use tenet_system::finite::trace::{Action, Finding, Step, Trace, shown_parameters};

#[derive(Clone, Debug)]
pub struct Run {
    /// The sizes of its instance.
    pub sizes: Vec<(String, u64)>,
    /// The startstate and every step after it.
    pub steps: Vec<ShownStep>,
    /// The violation at its end.
    pub end: String,
    /// Whether it was replayed with the same result.
    pub is_replayed: bool,
}

#[derive(Clone, Debug)]
pub struct ShownStep {
    /// The rule or startstate.
    pub rule: String,
    /// Its parameters with their values.
    pub params: Vec<(String, String)>,
    /// The state after it.
    pub state: Vec<(String, Value)>,
    /// Its changes (for a startstate: everything that has a value), as place and text.
    pub changes: Vec<(String, String)>,
}

impl ShownStep {
    /// `RecvReqE(i = NODE_2)`
    pub fn title(&self) -> String {
        call(&self.rule, &self.params)
    }
}

/// A rule with its parameters.
pub(crate) fn call(rule: &str, params: &[(String, String)]) -> String {
    if params.is_empty() {
        return rule.to_string();
    }
    let params: Vec<String> = params.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    // The bracket after a name of several words is separated by a space.
    let space = if rule.contains(' ') { " " } else { "" };
    format!("{rule}{space}({})", params.join(", "))
}

/// An action by name.
pub fn show_action(program: &Program, is_start: bool, action: Action) -> String {
    let rule = if is_start { &program.starts[action.rule] } else { &program.rules[action.rule] };
    call(&rule.name, &shown_parameters(&program.layout, rule, action.instance))
}

/// Converts runs of one program to views.
#[derive(Debug)]
pub struct Presenter<'a> {
    program: &'a Program,
    shape: Shape<'a>,
    sizes: Vec<(String, u64)>,
}

impl<'a> Presenter<'a> {
    /// For runs of an instance with these sizes.
    pub fn new(program: &'a Program, sizes: Vec<(String, u64)>) -> Presenter<'a> {
        Presenter { program, shape: Shape::new(&program.layout), sizes }
    }

    /// A run with its end. It must have been replayed.
    pub fn run(&self, text: &Text<'_>, trace: &Trace) -> Run {
        let end = finding::describe(self.program, text, &trace.finding);
        self.walk(&trace.steps, finding::last_line(&end, &trace.finding, self.program))
    }

    pub fn walk(&self, steps: &[Step], end: String) -> Run {
        let shown = (0..steps.len()).map(|number| self.step(steps, number)).collect();
        Run { sizes: self.sizes.clone(), steps: shown, end, is_replayed: true }
    }

    /// One step of a run.
    pub fn step(&self, steps: &[Step], number: usize) -> ShownStep {
        let Step { action, state } = &steps[number];
        let rules = if number == 0 { &self.program.starts } else { &self.program.rules };
        let rule = &rules[action.rule];
        let changes = match number {
            0 => self.shape.contents(state),
            _ => self.shape.changes(&steps[number - 1].state, state),
        };
        ShownStep {
            rule: rule.name.clone(),
            params: shown_parameters(&self.program.layout, rule, action.instance),
            state: self.shape.variables(state),
            changes,
        }
    }

    /// The violation as a clause.
    pub fn what(&self, text: &Text<'_>, finding: &Finding) -> String {
        finding::describe(self.program, text, finding).what
    }

    /// The violation and the point of the behaviour: the line after a run.
    pub fn last_line(&self, text: &Text<'_>, finding: &Finding) -> String {
        let end = finding::describe(self.program, text, finding);
        finding::last_line(&end, finding, self.program)
    }

    /// Everything that has a value in a state.
    pub fn contents(&self, state: &[i64]) -> Vec<(String, String)> {
        self.shape.contents(state)
    }
}
