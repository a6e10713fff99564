use super::read::PATIENCE;
use super::{other, publish, put, stat, store};
use crate::Case;
use crate::bindings::agent::session::storage::{LogInfo, Order, Place};
use crate::check::{Must, Outcome, count, equal, holds};

pub const CASES: &[Case] = &[
    ("an empty store lists nothing, in either order", empty),
    ("a list tells of each log what `stat` does", what_stat_says),
    ("a list by id goes by the bytes of the ids", by_id),
    ("a list of recent logs begins with the one that grew last", recent),
    ("a list of recent logs goes by name among equals, and by time else", recent_is_total),
    ("a list goes on behind the place that was seen last, in pages of any size", pages),
    ("a list goes on behind a place that is gone", gone_place),
    ("a list of recent logs goes on behind a place whose log has grown since", grown_place),
    ("a list by id takes no notice of when the place had changed", by_id_ignores_time),
    ("a list holds no more than was asked for, and none if none was", at_most),
    ("a list holds a log that was published and not one that failed to be", as_published),
];

fn list(order: Order, after: Option<&LogInfo>, max: u32) -> Outcome<Vec<LogInfo>> {
    let after = after.map(|log| Place { name: log.name.clone(), modified: log.modified });
    store::list(order, after.as_ref(), max).must("listing")
}

fn ids(logs: &[LogInfo]) -> Vec<&str> {
    logs.iter().filter_map(|log| log.id.as_deref()).collect()
}

/// Every log, by pages; each but the last has to be full.
fn all(order: Order, max: u32) -> Outcome<Vec<LogInfo>> {
    let mut all = Vec::new();
    loop {
        let page = list(order, all.last(), max)?;
        let last = page.len() < max as usize;
        all.extend(page);
        if last {
            return Ok(all);
        }
        holds("the pages come to an end", all.len() < 1000)?;
    }
}

fn empty() -> Outcome {
    for order in [Order::ById, Order::Recent] {
        equal("all logs", list(order, None, 10)?, [])?;
    }
    Ok(())
}

fn what_stat_says() -> Outcome {
    publish("x", "one\n")?;
    put("y", "three\n")?;
    other::makes("z")?;
    let expected = [stat("x")?, stat("y")?, stat("z")?];
    equal("whether they are held", expected.each_ref().map(|log| log.held), [true, false, true])?;
    equal("the logs by id", list(Order::ById, None, 10)?, &expected[..])?;
    let mut recent = list(Order::Recent, None, 10)?;
    recent.sort_by(|a, b| a.id.cmp(&b.id));
    equal("the recent logs, sorted by id", recent, &expected[..])
}

fn by_id() -> Outcome {
    let mut expected = ["b", "a", "B", "~", "é", "a/b", "a-b", "a.b", "ab", "1", "10", "2", "Z", "_", " x", "日本"];
    for id in expected {
        put(id, "")?;
    }
    expected.sort_unstable();
    equal("the ids", ids(&list(Order::ById, None, 100)?), &expected[..])
}

/// Grows a log until it has changed later than all others.
fn grow_past_all(id: &str) -> Outcome {
    let others = list(Order::ById, None, 100)?;
    let latest = others.iter().map(|log| log.modified).max().unwrap_or_default();
    store::acquire(id).must("acquiring")?;
    for _ in 0..PATIENCE {
        let log = stat(id)?;
        if log.modified > latest {
            store::release(id);
            return Ok(());
        }
        store::append(id, log.length, b".").must("appending")?;
    }
    Err(format!("the time of {id:?}: expected one later than {latest} after {PATIENCE} appends"))
}

fn recent() -> Outcome {
    for id in ["a", "b", "c"] {
        put(id, "")?;
    }
    for id in ["c", "a", "b", "a"] {
        grow_past_all(id)?;
        let recent = list(Order::Recent, None, 10)?;
        equal("the log that grew last", recent.first().and_then(|log| log.id.as_deref()), Some(id))?;
    }
    equal("the recent logs", ids(&list(Order::Recent, None, 10)?), ["a", "b", "c"])
}

fn recent_is_total() -> Outcome {
    for n in 0..40 {
        put(&format!("log {}", n * 7 % 40), "")?;
    }
    let recent = list(Order::Recent, None, 100)?;
    count("the recent logs", &ids(&recent), 40)?;
    let mut sorted = recent.clone();
    sorted.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.name.cmp(&b.name)));
    equal("the recent logs", ids(&recent), ids(&sorted))
}

fn pages() -> Outcome {
    for n in 0..17 {
        put(&format!("log-{n}"), "")?;
    }
    for order in [Order::ById, Order::Recent] {
        let whole = list(order, None, 100)?;
        count("the logs in the list", &ids(&whole), 17)?;
        for max in [1, 2, 3, 16, 17, 18, u32::MAX] {
            equal(&format!("all of them, by pages of {max}"), ids(&all(order, max)?), ids(&whole))?;
        }
    }
    Ok(())
}

fn gone_place() -> Outcome {
    for id in ["a", "b", "c", "d"] {
        put(id, "")?;
        grow_past_all(id)?;
    }
    for (order, seen, rest) in [(Order::ById, "b", ["c", "d"]), (Order::Recent, "c", ["b", "a"])] {
        let place = stat(seen)?;
        store::remove(seen).must("removing")?;
        equal("what stands behind the place", ids(&list(order, Some(&place), 10)?), rest)?;
        put(seen, "")?;
        for id in ["a", "b", "c", "d"] {
            grow_past_all(id)?;
        }
    }
    Ok(())
}

fn grown_place() -> Outcome {
    for id in ["a", "b", "c"] {
        put(id, "")?;
        grow_past_all(id)?;
    }
    let first = list(Order::Recent, None, 2)?;
    equal("the first page", ids(&first), ["c", "b"])?;
    grow_past_all("b")?;
    equal("the rest, after its last log has grown", ids(&list(Order::Recent, first.last(), 10)?), ["a"])
}

fn by_id_ignores_time() -> Outcome {
    for id in ["a", "b", "c"] {
        put(id, "")?;
    }
    for modified in [0, u64::MAX] {
        let place = LogInfo { modified, ..stat("a")? };
        equal("what stands behind the place", ids(&list(Order::ById, Some(&place), 10)?), ["b", "c"])?;
    }
    Ok(())
}

fn at_most() -> Outcome {
    for id in ["a", "b", "c"] {
        put(id, "")?;
    }
    for order in [Order::ById, Order::Recent] {
        for (max, expected) in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3), (u32::MAX, 3)] {
            count(&format!("a list of at most {max}"), &ids(&list(order, None, max)?), expected)?;
        }
        let last = list(order, None, 3)?;
        equal("what stands behind the last", list(order, last.last(), 10)?, [])?;
    }
    Ok(())
}

fn as_published() -> Outcome {
    put("there", "")?;
    let copy = [super::content("x"), super::copy("there", 0, 1)];
    holds("publishing a copy of more than there is fails", store::publish("failed", &copy).is_err())?;
    holds("publishing what is there fails", store::publish("there", &[]).is_err())?;
    for order in [Order::ById, Order::Recent] {
        equal("the ids", ids(&list(order, None, 10)?), ["there"])?;
    }
    Ok(())
}
