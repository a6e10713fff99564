//! The values that come of an old file as a whole: its name, its labels, and the branch `main` with what was set for it.

use std::collections::HashMap;

use session_host::tree::{NewUsage, Write};

use super::known::{Change, Kind, Known};
use super::limits;
use super::report::Notes;
use super::spent::Spent;
use crate::view::members::{object_of, quoted};

/// The branch of a file that knew no names of branches.
const MAIN: &str = "main";
/// The lane of that branch, at rest.
const IDLE: &str = r#"{"currentOperationId":null,"lastOperationId":null,"inbox":[]}"#;

/// What a line labels, and how; with none it has no label any more.
pub struct Label {
    /// Which line says so.
    pub line: u64,
    /// The id of what is labelled.
    pub target: String,
    /// The label.
    pub label: Option<String>,
}

/// The values, and the row of the ledger.
pub fn of(known: &Known, name: Option<String>, labels: Vec<Label>, spent: Spent, mended: &mut Notes) -> Vec<Write> {
    let mut writes = Vec::new();
    writes.extend(name.map(|name| Write::set_value_json(("pi.session.name", ""), quoted(&name))));
    for (entry, label) in labelled(known, labels, mended) {
        writes.push(Write::set_value_json(("pi.entry.label", entry), quoted(&label)));
    }
    let tip = known.tip().and_then(|tip| known.entry_at(tip));
    let tip = tip.map_or_else(|| "null".to_owned(), quoted);
    writes.push(Write::set_value_json(("pi.branch.tip", MAIN), tip));
    if let Some(configuration) = configuration(known) {
        writes.push(Write::set_value_json(("pi.lane.config", MAIN), configuration));
        writes.push(Write::set_value_json(("pi.lane.state", MAIN), IDLE));
    }
    let mut row = NewUsage::json("import", spent.json()).adjustment().details(r#"{"source":"v3-import"}"#);
    while known.get(&row.id).is_some() {
        row.id.push('-');
    }
    writes.push(Write::usage(row));
    writes
}

/// The last label of each entry, in the order in which they came.
fn labelled(known: &Known, labels: Vec<Label>, mended: &mut Notes) -> Vec<(String, String)> {
    let mut last = HashMap::new();
    for (order, Label { line, target, label }) in labels.into_iter().enumerate() {
        let Some(place) = known.get(&target) else {
            mended.add(line, format!("it labels {}, which is not there; that is left out", limits::quoted(&target)));
            continue;
        };
        let Some(entry) = place.entry.clone() else { continue };
        match label {
            // One that is there keeps its place.
            Some(label) => last.entry(entry).or_insert((order, String::new())).1 = label,
            None => drop(last.remove(&entry)),
        }
    }
    let mut labels: Vec<_> = last.into_iter().map(|(entry, (order, label))| (order, entry, label)).collect();
    labels.sort();
    labels.into_iter().map(|(_, entry, label)| (entry, label)).collect()
}

/// What was set last on the way to where the session stands; nothing, unless both a model and how much it thinks were.
fn configuration(known: &Known) -> Option<String> {
    let (mut model, mut thinking, mut tools) = (None, None, None);
    for (_, place) in known.back_from(known.tip()) {
        // The nearest counts, even where it says nothing.
        match &place.kind {
            Kind::Change(Change::Model(named)) if model.is_none() => model = Some(named.as_deref()),
            Kind::Change(Change::Thinking(level)) if thinking.is_none() => thinking = Some(level.as_deref()),
            Kind::Change(Change::Tools(names)) if tools.is_none() => tools = Some(names.as_deref()),
            _ => {}
        }
        if model.is_some() && thinking.is_some() && tools.is_some() {
            break;
        }
    }
    let (model, level) = (model??, thinking??);
    let tools = tools.flatten().unwrap_or("[]");
    Some(object_of([("model", model), ("thinkingLevel", level), ("activeToolNames", tools)]))
}
