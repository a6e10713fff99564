use super::*;
use crate::altered::altered;

pub const WRONG: &[Altered] = &[
    altered(
        "lines lose their CR",
        &["lines are appended to the byte, and the new length is told"],
        "append-lines",
        |call| {
            let lines = string(&mut call.params[1]);
            *lines = lines.replace("\r\n", "\n");
            call.go()
        },
    ),
    altered("lines need their last LF", &["lines lack their last line feed and get it"], "append-lines", |call| {
        let ended = string(&mut call.params[1]).ends_with('\n');
        if ended { call.go() } else { no("refused") }
    }),
    altered(
        "lines that are none are passed over",
        &["lines that are no records are refused, all or none"],
        "append-lines",
        |call| {
            instead_of(call, "rejected", |call| {
                let lines = string(&mut call.params[1]);
                *lines = lines.split_inclusive('\n').next().unwrap_or_default().to_string();
                call.go()
            })
        },
    ),
    altered(
        "the first line is left out",
        &["lines are read back to the byte, from any place on"],
        "get-lines",
        |call| {
            change(call, |lines| {
                let lines = string(lines);
                *lines = lines.split_inclusive('\n').skip(1).collect();
            })
        },
    ),
    altered(
        "a line that does not fit is not read",
        &["lines are read as many as fit, and never none while there are some"],
        "get-lines",
        |call| {
            let Val::U32(max) = call.params[2] else { panic!("the limit is a number") };
            change(call, |lines| {
                if string(lines).len() > max as usize {
                    string(lines).clear();
                }
            })
        },
    ),
    altered(
        "a last record needs its line feed",
        &["a last record without its line feed counts, and gets it with the next"],
        "inspect",
        |call| {
            let mut id = call.id();
            let bytes = call.storage().read(string(&mut id), 0, u32::MAX)?;
            change(call, |state| {
                if !bytes.ends_with(b"\n")
                    && let Val::U64(length) = member(state, "length")
                {
                    *length -= 1;
                }
            })
        },
    ),
];
