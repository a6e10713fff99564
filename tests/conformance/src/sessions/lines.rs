use super::*;
use crate::check::{fails, holds};

pub const CASES: &[Case] = &[
    ("lines are appended to the byte, and the new length is told", to_the_byte),
    ("lines lack their last line feed and get it", last_line_feed),
    ("lines that are no records are refused, all or none", no_records),
    ("lines are read back to the byte, from any place on", read_back),
    ("lines are read as many as fit, and never none while there are some", as_many_as_fit),
    ("a last record without its line feed counts, and gets it with the next", unended),
];

const ODD: &str = concat!(
    " { \"data\" : {\"a\":1.0} , \"seq\":0, \"unknown\":[1,2], \"time\":7,\"type\":\"a\" } \n",
    "{\"type\":\"b\",\"seq\":1,\"time\":7,\"data\":null}\r\n",
    "{\"type\":\"\\u0063\",\"seq\":2,\"time\":7,\"data\":\"\\ud83d\"}\n",
);

fn to_the_byte() -> Outcome {
    create("x")?;
    equal("the new length", sessions::append_lines("x", ODD).must("appending")?, 3u64)?;
    log_is("x", header("x") + ODD)?;
    equal("the new length", sessions::append_lines("x", &line(3, "d", "{}")).must("appending")?, 4u64)?;
    equal("the new length of no lines", sessions::append_lines("x", "").must("appending none")?, 4u64)?;
    log_is("x", header("x") + ODD + &line(3, "d", "{}"))?;
    let kinds: Vec<_> = slice("x", 0, 10)?.events.into_iter().map(|event| event.type_).collect();
    equal("the types", kinds, ["a", "b", "c", "d"])
}

fn last_line_feed() -> Outcome {
    create("x")?;
    sessions::append_lines("x", line(0, "a", "{}").trim_end()).must("appending")?;
    log_is("x", header("x") + &line(0, "a", "{}"))
}

fn no_records() -> Outcome {
    put_log("x", WHOLE)?;
    let good = line(3, "a", "{}");
    leaves_all(|| {
        for bad in [
            "\n",
            "null\n",
            "{}\n",
            "{\"type\":\"a\",\"seq\":\"4\",\"time\":1,\"data\":{}}\n",
            "{\"type\"",
            &header("x"),
        ] {
            let what = format!("appending a good line and {bad:?}");
            match sessions::append_lines("x", &(good.clone() + bad)) {
                Err(Error::Rejected(rejected)) => equal(&what, rejected.index, 1u32)?,
                other => return Err(format!("{what}: expected the second to be rejected, found {other:?}")),
            }
        }
        let skipping = sessions::append_lines("x", &(good.clone() + &line(5, "a", "{}")));
        fails!("appending lines with a gap", skipping, Error::Sequence(SequenceConflict { expected: 4, actual: 5 }))?;
        sessions::release("x").must("releasing")
    })
}

fn read_back() -> Outcome {
    let all = header("x") + ODD;
    put("x", &all)?;
    let lines: Vec<_> = ODD.split_inclusive('\n').collect();
    for start in 0..=4 {
        let expected = lines.get(start..).unwrap_or_default().concat();
        let found = sessions::get_lines("x", start as u64, 1 << 20).must("reading")?;
        equal(&format!("the lines from {start} on"), found, expected)?;
    }
    Ok(())
}

fn as_many_as_fit() -> Outcome {
    put_log("x", WHOLE)?;
    let (mut found, mut start) = (String::new(), 0);
    while start < WHOLE.len() as u64 {
        let lines = sessions::get_lines("x", start, 1).must("reading")?;
        equal("how many lines come where none fits", lines.lines().count(), 1usize)?;
        found += &lines;
        start += 1;
    }
    equal("all of them", header("x") + &found, log("x", WHOLE))?;
    let two = line(0, WHOLE[0].0, WHOLE[0].1) + &line(1, WHOLE[1].0, WHOLE[1].1);
    let lines = sessions::get_lines("x", 0, two.len() as u32 + 9).must("reading")?;
    equal("the lines where two fit", lines, two)
}

fn unended() -> Outcome {
    let log = log("x", WHOLE);
    put("x", log.trim_end())?;
    let state = inspect("x")?;
    equal("its length", state.length, WHOLE.len() as u64)?;
    holds("it is sound", state.recovery.damage.is_none())?;
    let last = sessions::get_lines("x", 2, 1000).must("reading")?;
    equal("the last line, as it is read", last, line(2, WHOLE[2].0, WHOLE[2].1))?;
    log_is("x", log.trim_end())?;
    sessions::append("x", &[event(3, "a", "{}")]).must("appending")?;
    log_is("x", log + &line(3, "a", "{}"))
}
