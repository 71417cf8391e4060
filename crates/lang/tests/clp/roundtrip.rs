//! What is printed can be read again and says the same.

use crate::same::canonical;
use tenet_lang::clp::{print, read};
use tenet_lang::render::{Style, render};
use tenet_system::recursive::Program;

fn program(source: &str) -> Program {
    match read(source) {
        Ok((clp, _)) => clp.program,
        Err(found) => panic!("{}\n{source}", render(&found, "program.clp", source, Style::Plain)),
    }
}

/// Reads, prints, reads again and compares; gives what was printed.
pub fn survives(source: &str) -> String {
    let first = program(source);
    let printed = print::program(&first);
    let second = program(&printed);
    assert_eq!(canonical(&first), canonical(&second), "{source}\n---\n{printed}");
    printed
}

#[test]
fn everything_at_once() {
    let text = r#"
% comment
m4(0). /* another
one */
m4(X+4) :- m4(X).
even(0). even(X+2) :- even(X).
prove "multiples of four are even": m4(X) |= even(X).
allzeroes(0, _, 0).
allzeroes(N, <K,N,0>, 0) :- N > 0, allzeroes(N-1, K, 0).
abs(K,T,1) :- (K[1]=0,T[1]=0) \/ (K[1]=1,T[1]>0).
abs(K,T,N) :- N > 1, ((K[N]=0, T[N]=0) \/ (K[N]=1, T[N]>0)), abs(K,T,N-1).
crit(T,1,Id) :- Id=1 \/ T[1]=0 \/ T[1]>T[Id].
crit(T,N,Id) :- N>1, (Id=N \/ T[N]=0 \/ T[N]>T[Id]), crit(T,N-1,Id).
lex(A,B,C,D) :- (A,B) < (C,D), (A,B,1) != (B,C,D), ~(A = 1), not B > 2.
"enter": sys(K,T,N) :- K[Id]=1, 1<=Id<=N, crit(T,N,Id), sys(<K,Id,2>,T,N).
sys(K',T,N) :- K'[Id]=2, sys(<K',Id,0>,<T,Id,0>,N).
start sys(K,T,N), N >= 2, allzeroes(N,K,0), allzeroes(N,T,0).
abstract "some ones": sys(K,T,N), K[Id]=1 by sys(K,T,N), abs(K,T,N).
property "mutual exclusion": sys(K,T,N), K[I]=2, K[J]=2, 1<=I<=N, 1<=J<=N, I!=J |= false.
prove abs(K,T,N), crit(T,N,I), <<K,I,2>,X,5>[J] > 0 |= abs(?S,<T,I,X+1>,N), 1<=?J'<=N, <K,I,2>=<?S,?J',2>.
prove m4(X) ; even(X) |= X >= 0.
prove X = X, even(Y) |= m4(X).
"#;
    println!("{}", survives(text));
}

#[test]
fn arrays_stay_arrays() {
    // What told that these are arrays is simplified away.
    let text = survives(
        "p(K, X) :- <K,1,2>[1] = 2, X = 0. q(K, L) :- K = L, L[0] = L[0]. r(K) :- p(K, 1). prove r(K) |= p(?L, ?X), q(?L, ?M).",
    );
    assert!(text.contains("p(K, X) :- X = 0, K[0] = K[0].") && text.contains("r(K) :- p(K, 1)."), "{text}");
    let text = survives("s(0). prove s(X), K[X] = K[X], K = L |= K != L, ?M = ?N, ?M[0] = ?M[0].");
    assert!(text.contains("K = L, K[0] = K[0] |= K != L, ?M = ?N, ?M[0] = ?M[0]."), "{text}");
    survives(
        "t(K) :- K[1] = K[1], t(K). start t(K), K = L. abstract t(K) by t(L), L = M. property t(K) |= K = ?L.",
    );
}
