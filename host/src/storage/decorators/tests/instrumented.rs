use super::*;

#[test]
fn every_call_is_counted_under_its_name() {
    let store = Instrumented::new(memory());
    let counters = store.counters();
    for (operation, done) in every_operation(&store) {
        done.unwrap();
        let count = counters.of(operation);
        assert_eq!((count.calls, count.errors), (1, 0), "{operation}");
    }
    store.release("x");
    assert_eq!(counters.of(Operation::Release).calls, 1);
    assert_eq!(counters.total().calls, 14);
    assert_eq!(counters.total().time, Operation::ALL.iter().map(|&operation| counters.of(operation).time).sum());
}

#[test]
fn bytes_are_those_handed_over_and_those_that_came_back() {
    let store = Instrumented::new(memory());
    let counters = store.counters();
    every_operation(&store);
    let bytes: Vec<_> = [
        Operation::Publish,
        Operation::Append,
        Operation::Read,
        Operation::ReadAside,
        Operation::SaveCheckpoint,
        Operation::LoadCheckpoint,
    ]
    .map(|operation| counters.of(operation).bytes)
    .into();
    assert_eq!(bytes, [4, 4, 3, 2, 5, 5]);
    store.publish("z", &[Part::Content(b"12"), Part::Copy { id: "x", at: 1, length: 3 }]).unwrap();
    assert_eq!(counters.of(Operation::Publish).bytes, 9);
}

#[test]
fn errors_are_counted_and_siblings_count_together() {
    let store = Instrumented::new(memory());
    let counters = store.counters();
    let sibling = store.sibling().unwrap();
    assert!(sibling.acquire("x").is_err());
    assert!(store.acquire("missing").is_err());
    store.acquire("x").unwrap();
    let count = counters.of(Operation::Acquire);
    assert_eq!((count.calls, count.errors), (3, 2));
}

#[test]
fn operations_are_called_as_in_the_interface() {
    assert_eq!(Operation::SetAside.to_string(), "set-aside");
    assert_eq!(
        Operation::ALL.iter().map(|operation| *operation as usize).collect::<Vec<_>>(),
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    );
}

#[cfg(feature = "tracing")]
mod spans {
    use std::fmt::Debug;
    use std::sync::{Arc, Mutex};

    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata, Subscriber};

    use super::*;

    /// Writes down what it is told, a line each.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<String>>>);

    impl Lines {
        fn add(&self, kind: &str, record: impl FnOnce(&mut Line)) {
            let mut line = Line(kind.to_owned());
            record(&mut line);
            self.0.lock().unwrap().push(line.0);
        }
    }

    struct Line(String);

    impl Visit for Line {
        fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
            if field.name() != "time" {
                self.0 += &format!(" {field}={value:?}");
            }
        }
    }

    impl Subscriber for Lines {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, span: &Attributes<'_>) -> Id {
            self.add(span.metadata().name(), |line| span.record(line));
            Id::from_u64(1)
        }

        fn event(&self, event: &Event<'_>) {
            self.add(" ", |line| event.record(line));
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    #[test]
    fn each_call_is_a_span_with_an_event_at_its_end() {
        let lines = Lines::default();
        let store = Instrumented::new(memory());
        tracing::subscriber::with_default(lines.clone(), || {
            store.append("x", 4, b"two\n").unwrap();
            store.stat("y").unwrap_err();
        });
        assert_eq!(
            *lines.0.lock().unwrap(),
            [
                "storage operation=append id=\"x\"",
                "  message=done bytes=4",
                "storage operation=stat id=\"y\"",
                "  message=failed error=there is no such log",
            ]
        );
    }
}

#[test]
fn counters_are_shown_by_the_names_of_the_operations() {
    let store = Instrumented::new(memory());
    store.append("x", 4, b"two\n").unwrap();
    let shown = format!("{:?}", store.counters());
    assert!(shown.starts_with("{Acquire: Count { calls: 0,"), "{shown}");
    assert!(shown.contains(", Append: Count { calls: 1, errors: 0, bytes: 4,"), "{shown}");
}
