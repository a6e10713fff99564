//! Sums over the ledger. The numbers of a row are read as JavaScript reads them, and added in the order of the rows.

use crate::bindings::exports::agent::session::session_tree::{Cost, UsageSum};
use crate::json;

/// The sum of no rows.
pub const NOTHING: UsageSum = UsageSum {
    input: 0.0,
    output: 0.0,
    cache_read: 0.0,
    cache_write: 0.0,
    cache_write_one_hour: None,
    reasoning: None,
    total_tokens: 0.0,
    cost: Cost { input: 0.0, output: 0.0, cache_read: 0.0, cache_write: 0.0, total: 0.0 },
};

/// What one row's `usage` says; none if a number is missing or none.
pub fn read(usage: &str) -> Option<UsageSum> {
    let [input, output, cache_read, cache_write, one_hour, reasoning, total, cost] = json::named(
        usage,
        ["input", "output", "cacheRead", "cacheWrite", "cacheWrite1h", "reasoning", "totalTokens", "cost"],
    );
    let of_cost = json::named(cost?, ["input", "output", "cacheRead", "cacheWrite", "total"]);
    Some(UsageSum {
        input: number(input)?,
        output: number(output)?,
        cache_read: number(cache_read)?,
        cache_write: number(cache_write)?,
        cache_write_one_hour: one_hour.map(|text| number(Some(text)).ok_or(())).transpose().ok()?,
        reasoning: reasoning.map(|text| number(Some(text)).ok_or(())).transpose().ok()?,
        total_tokens: number(total)?,
        cost: Cost {
            input: number(of_cost[0])?,
            output: number(of_cost[1])?,
            cache_read: number(of_cost[2])?,
            cache_write: number(of_cost[3])?,
            total: number(of_cost[4])?,
        },
    })
}

fn number(json: Option<&str>) -> Option<f64> {
    let json = json.filter(|json| json::is_number(json))?;
    json.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Adds a row to the sum.
pub fn add(sum: &mut UsageSum, row: &UsageSum) {
    let some = |sum: &mut Option<f64>, row: Option<f64>| {
        if let Some(row) = row {
            *sum = Some(sum.unwrap_or(0.0) + row);
        }
    };
    sum.input += row.input;
    sum.output += row.output;
    sum.cache_read += row.cache_read;
    sum.cache_write += row.cache_write;
    some(&mut sum.cache_write_one_hour, row.cache_write_one_hour);
    some(&mut sum.reasoning, row.reasoning);
    sum.total_tokens += row.total_tokens;
    sum.cost.input += row.cost.input;
    sum.cost.output += row.cost.output;
    sum.cost.cache_read += row.cost.cache_read;
    sum.cost.cache_write += row.cost.cache_write;
    sum.cost.total += row.cost.total;
}

#[cfg(test)]
mod tests {
    use super::*;

    const COST: &str = r#""cost":{"input":0.5,"output":1,"cacheRead":0,"cacheWrite":0,"total":1.5}"#;

    #[test]
    fn optional_numbers_are_in_the_sum_once_a_row_has_them() {
        let plain = format!(r#"{{"input":1,"output":2,"cacheRead":0,"cacheWrite":0,"totalTokens":3,{COST}}}"#);
        let full = format!(
            r#"{{"input":1,"output":2,"cacheRead":0,"cacheWrite":4,"cacheWrite1h":3,"reasoning":1e1,"totalTokens":7,{COST}}}"#
        );
        let mut sum = NOTHING;
        add(&mut sum, &read(&plain).unwrap());
        assert_eq!((sum.cache_write_one_hour, sum.reasoning), (None, None));
        add(&mut sum, &read(&full).unwrap());
        assert_eq!((sum.cache_write_one_hour, sum.reasoning), (Some(3.0), Some(10.0)));
        assert_eq!((sum.input, sum.total_tokens, sum.cost.total), (2.0, 10.0, 3.0));
    }

    #[test]
    fn a_row_lacking_a_number_or_with_one_that_is_none_cannot_be_summed() {
        for numbers in ["\"input\":1", "\"input\":\"1\"", "\"input\":1e999", "\"input\":null", ""] {
            let usage = format!(r#"{{{numbers},"output":2,"cacheRead":0,"cacheWrite":0,{COST}}}"#);
            assert_eq!(read(&usage), None, "{usage}");
        }
        assert_eq!(read("[]"), None);
    }
}
