//! A child process that talks S-expressions.
//!
//! Both directions have a thread of their own, so that neither a child that does not read nor one that does not answer
//! can hold us up: we wait for answers as long as the limits allow, and not longer. The threads end with the child.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::sexpr::{Reader, Sexpr};
use crate::Limits;

/// How often an interrupt flag is looked at while an answer is awaited.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// The largest answer that is read: a child that prints without end must not exhaust memory.
const MAX_ANSWER_BYTES: usize = 1 << 28;

/// A running child. It is killed when this is dropped.
pub(super) struct Pipe {
    child: Child,
    requests: Sender<String>,
    answers: Receiver<Result<Sexpr, String>>,
}

impl Pipe {
    pub(super) fn start(command: &mut Command) -> io::Result<Pipe> {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let mut input = child.stdin.take().expect("invariant: stdin is piped");
        let output = child.stdout.take().expect("invariant: stdout is piped");
        let (requests, incoming) = mpsc::channel::<String>();
        let (outgoing, answers) = mpsc::channel();
        thread::spawn(move || {
            for request in incoming {
                // A child that is gone shows when its answer is awaited.
                if input.write_all(request.as_bytes()).and_then(|()| input.flush()).is_err() {
                    break;
                }
            }
        });
        thread::spawn(move || read_answers(output, &outgoing));
        Ok(Pipe { child, requests, answers })
    }

    pub(super) fn send(&self, text: String) {
        // As above: a failure shows when the answer is awaited.
        let _ = self.requests.send(text);
    }

    /// The next expression that the child prints; otherwise why there is none.
    pub(super) fn receive(&self, limits: &Limits, deadline: Option<Instant>) -> Result<Sexpr, String> {
        loop {
            if limits.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err("interrupted".to_owned());
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                return Err("timeout".to_owned());
            }
            let wait = match (limits.interrupt.is_some(), left) {
                (true, left) => left.map_or(POLL_INTERVAL, |left| left.min(POLL_INTERVAL)),
                (false, Some(left)) => left,
                (false, None) => return self.answers.recv().unwrap_or_else(|_| Err(gone())),
            };
            match self.answers.recv_timeout(wait) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
            }
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // It may have ended by itself, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn gone() -> String {
    "the solver ended unexpectedly".to_owned()
}

fn read_answers(mut output: impl Read, answers: &Sender<Result<Sexpr, String>>) {
    let mut reader = Reader::default();
    let mut buffer = [0; 1 << 14];
    let (mut pending, mut length) = (Vec::new(), 0);
    while let Ok(count @ 1..) = output.read(&mut buffer) {
        pending.extend_from_slice(&buffer[..count]);
        let valid = match std::str::from_utf8(&pending) {
            Ok(text) => text.len(),
            // A character may be cut in two; anything longer than that is no text.
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => return drop(answers.send(Err("the solver did not print text".to_owned()))),
        };
        let text: String = String::from_utf8_lossy(&pending[..valid]).into_owned();
        pending.drain(..valid);
        for character in text.chars() {
            length += 1;
            match reader.feed(character) {
                Ok(None) if length <= MAX_ANSWER_BYTES => {}
                Ok(Some(answer)) => {
                    length = 0;
                    if answers.send(Ok(answer)).is_err() {
                        return;
                    }
                }
                _ => return drop(answers.send(Err("the solver did not print an expression".to_owned()))),
            }
        }
    }
}
