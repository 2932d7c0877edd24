//! @title@: a bot of mine. README.md says what it is asked, what it sees and what it may answer.

#[macro_use]
mod plain;
mod boardroom;
mod json;
mod @game@;

use @game@::*;

/// A legal answer to `turn.ask`; `turn.view` is what your seat may know. What is better is for you to find.
fn choose(turn: &Turn) -> Answer {
    match &turn.ask {
@cases@    }
}

fn main() {
    boardroom::play(choose);
}
