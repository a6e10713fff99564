//! Sessions that break the rules, each in one way.

mod append;
mod create;
mod damage;
mod derive;
mod fork;
mod lines;
mod list;
mod read;
mod rest;
mod wake;

use wasmtime::Result;
use wasmtime::component::Val;

use crate::altered::{Altered, Answer, Call};

/// By the themes of the cases.
pub const WRONG: &[&[Altered]] = &[
    create::WRONG,
    append::WRONG,
    lines::WRONG,
    wake::WRONG,
    damage::WRONG,
    read::WRONG,
    rest::WRONG,
    fork::WRONG,
    list::WRONG,
    derive::WRONG,
];

fn text(text: &str) -> Val {
    Val::String(text.into())
}

fn some(value: Val) -> Val {
    Val::Option(Some(Box::new(value)))
}

const NONE: Val = Val::Option(None);

fn yes(value: Val) -> Result<Answer> {
    Ok(Ok(Some(Box::new(value))))
}

/// An error whose text is not looked at.
fn no(error: &str) -> Result<Answer> {
    Ok(Err(Some(Box::new(Val::Variant(error.into(), Some(Box::new(text("no"))))))))
}

fn is(answer: &Answer, error: &str) -> bool {
    matches!(answer, Err(Some(found)) if matches!(&**found, Val::Variant(name, _) if name == error))
}

/// One member of a record.
fn member<'a>(record: &'a mut Val, name: &str) -> &'a mut Val {
    let Val::Record(members) = record else { panic!("no record, but {record:?}") };
    let member = members.iter_mut().find(|(member, _)| member == name);
    &mut member.unwrap_or_else(|| panic!("no member {name}")).1
}

fn items(list: &mut Val) -> &mut Vec<Val> {
    let Val::List(items) = list else { panic!("no list, but {list:?}") };
    items
}

fn string(value: &mut Val) -> &mut String {
    let Val::String(text) = value else { panic!("no text, but {value:?}") };
    text
}

/// The right answer, changed where it is one.
fn change(call: &mut Call<'_>, change: impl FnOnce(&mut Val)) -> Result<Answer> {
    let mut answer = call.go()?;
    if let Ok(Some(value)) = &mut answer {
        change(value);
    }
    Ok(answer)
}

/// The right answer, or this one in the place of such an error.
fn instead_of(call: &mut Call<'_>, error: &str, other: impl FnOnce(&mut Call<'_>) -> Result<Answer>) -> Result<Answer> {
    let answer = call.go()?;
    if is(&answer, error) { other(call) } else { Ok(answer) }
}

/// Something else is done first, then what was asked for.
fn first(call: &mut Call<'_>, function: &str, params: &[Val]) -> Result<Answer> {
    match call.ask(function, params)? {
        Ok(_) => call.go(),
        error => Ok(error),
    }
}

/// Something else is done afterwards, where it went well.
fn then(call: &mut Call<'_>, function: &str, params: &[Val]) -> Result<Answer> {
    let answer = call.go()?;
    if answer.is_ok() {
        let _ = call.ask(function, params)?;
    }
    Ok(answer)
}

fn is_stored(call: &mut Call<'_>) -> Result<bool> {
    let id = call.id();
    Ok(matches!(call.ask("has", &[id])?, Ok(Some(there)) if *there == Val::Bool(true)))
}

fn is_damaged(call: &mut Call<'_>) -> Result<bool> {
    let id = call.id();
    let state = call.ask("inspect", &[id])?.ok().flatten();
    Ok(state.is_some_and(|mut state| *member(member(&mut state, "recovery"), "damage") != NONE))
}

fn options(open_turn: &str, on_damage: &str) -> Val {
    Val::Record(vec![
        ("open-turn".into(), Val::Enum(open_turn.into())),
        ("on-damage".into(), Val::Enum(on_damage.into())),
    ])
}

fn new_session(id: Val) -> Val {
    Val::Record(vec![
        ("id".into(), id),
        ("cwd".into(), NONE),
        ("parent-session".into(), NONE),
        ("created-at".into(), some(Val::U64(1))),
    ])
}
