//! What the messages of an old file say they used: there was no ledger.

use crate::view::members::{Members, object_of};

/// The sum.
#[derive(Default)]
pub struct Spent {
    tokens: [f64; 4],
    one_hour: Option<f64>,
    reasoning: Option<f64>,
    total: f64,
    cost: [f64; 4],
    cost_total: f64,
}

const PARTS: [&str; 4] = ["input", "output", "cacheRead", "cacheWrite"];

impl Spent {
    /// Adds what an entry of this type used.
    pub fn add(&mut self, kind: &str, entry: &Members<'_>) {
        let usage = match kind {
            "message" => entry
                .object("message")
                .filter(|message| matches!(message.string("role").as_deref(), Some("assistant" | "toolResult")))
                .and_then(|message| message.object("usage")),
            "compaction" | "branch_summary" => entry.object("usage"),
            _ => None,
        };
        if let Some(usage) = usage {
            self.add_usage(&usage);
        }
    }

    /// Adds this usage.
    pub fn add_usage(&mut self, usage: &Members<'_>) {
        let cost = usage.object("cost");
        let amounts = |of: Option<&Members<'_>>| PARTS.map(|part| of.and_then(|of| of.amount(part)).unwrap_or(0.0));
        // Old files have parts without their sum.
        let total = |of: Option<&Members<'_>>, name, parts: &[f64; 4]| {
            of.and_then(|of| of.amount(name)).unwrap_or_else(|| parts.iter().sum())
        };
        let (tokens, costs) = (amounts(Some(usage)), amounts(cost.as_ref()));
        self.total += total(Some(usage), "totalTokens", &tokens);
        self.cost_total += total(cost.as_ref(), "total", &costs);
        for (sum, part) in self.tokens.iter_mut().zip(tokens).chain(self.cost.iter_mut().zip(costs)) {
            *sum += part;
        }
        for (sum, name) in [(&mut self.one_hour, "cacheWrite1h"), (&mut self.reasoning, "reasoning")] {
            if let Some(amount) = usage.amount(name) {
                *sum = Some(sum.unwrap_or(0.0) + amount);
            }
        }
    }

    /// As a row of the ledger has it.
    pub fn json(&self) -> String {
        let tokens = self.tokens.map(number);
        let cost = self.cost.map(number);
        let cost_total = number(self.cost_total);
        let named = |amounts: &'_ [String; 4]| -> Vec<(&'static str, String)> {
            PARTS.into_iter().zip(amounts.iter().cloned()).collect()
        };
        let mut usage = named(&tokens);
        usage.extend(self.one_hour.map(|amount| ("cacheWrite1h", number(amount))));
        usage.extend(self.reasoning.map(|amount| ("reasoning", number(amount))));
        usage.push(("totalTokens", number(self.total)));
        let mut costs = named(&cost);
        costs.push(("total", cost_total));
        usage.push(("cost", object(&costs)));
        object(&usage)
    }
}

fn object(members: &[(&str, String)]) -> String {
    object_of(members.iter().map(|(name, json)| (*name, json.as_str())))
}

/// A whole number without a point, as it was before it was added.
fn number(amount: f64) -> String {
    match amount.is_finite() {
        true => format!("{amount}"),
        false => "0".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_sum_of_its_own_is_summed() {
        let mut spent = Spent::default();
        let message = r#"{"message":{"role":"assistant","usage":{"input":3,"output":4,"cacheRead":5,"cacheWrite":6,
            "cost":{"input":0.5,"output":0.25,"cacheRead":0,"cacheWrite":0}}}}"#;
        spent.add("message", &Members::read(message).unwrap());
        let summary = r#"{"usage":{"input":1,"output":1,"totalTokens":100,"reasoning":7,"cost":{"total":2}}}"#;
        spent.add("compaction", &Members::read(summary).unwrap());
        assert_eq!(
            spent.json(),
            r#"{"input":4,"output":5,"cacheRead":5,"cacheWrite":6,"reasoning":7,"totalTokens":118,"cost":{"input":0.5,"output":0.25,"cacheRead":0,"cacheWrite":0,"total":2.75}}"#
        );
    }

    #[test]
    fn a_person_uses_nothing() {
        let mut spent = Spent::default();
        spent.add("message", &Members::read(r#"{"message":{"role":"user","usage":{"input":3}}}"#).unwrap());
        assert!(spent.json().starts_with(r#"{"input":0,"#));
    }
}
