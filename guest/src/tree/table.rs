//! What is kept at addresses: two of them make up a tree, one for values and one for lists.

use std::collections::BTreeMap;
use std::ops::Bound;

/// A stretch of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Where it begins.
    pub offset: u64,
    /// How many bytes it has.
    pub length: u32,
}

/// What is kept by namespace and key, in the order of their code points, which is that of their bytes.
///
/// The two are one text, with U+0000 between them, which neither may hold: so a namespace costs no map of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table<T>(BTreeMap<Box<str>, T>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T> Table<T> {
    /// What is at that address.
    pub fn get(&self, namespace: &str, key: &str) -> Option<&T> {
        self.0.get(&*joined(namespace, key))
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, namespace: &str, key: &str) -> Option<&mut T> {
        self.0.get_mut(&*joined(namespace, key))
    }

    /// Puts something where nothing is.
    pub fn add(&mut self, namespace: &str, key: &str, item: T) {
        self.0.insert(joined(namespace, key).into(), item);
    }

    /// Takes away what is at that address.
    pub fn remove(&mut self, namespace: &str, key: &str) -> Option<T> {
        self.0.remove(&*joined(namespace, key))
    }

    /// What a namespace holds under keys that begin with `prefix` and come behind `after`, by key.
    pub fn scan<'a>(
        &'a self,
        namespace: &str,
        prefix: &str,
        after: Option<&str>,
    ) -> impl Iterator<Item = (&'a str, &'a T)> + use<'a, T> {
        let from = match after {
            Some(after) if after >= prefix => Bound::Excluded(joined(namespace, after)),
            _ => Bound::Included(joined(namespace, prefix)),
        };
        let begin = joined(namespace, prefix);
        self.from(from)
            .take_while(move |(name, _)| name.starts_with(&*begin))
            .map(|(name, item)| (parted(name).1, item))
    }

    /// What comes behind that address, by namespace and key.
    pub fn behind<'a>(
        &'a self,
        after: Option<(&str, &str)>,
    ) -> impl Iterator<Item = (&'a str, &'a str, &'a T)> + use<'a, T> {
        let from = after.map_or(Bound::Unbounded, |(namespace, key)| Bound::Excluded(joined(namespace, key)));
        self.from(from).map(|(name, item)| {
            let (namespace, key) = parted(name);
            (namespace, key, item)
        })
    }

    fn from(&self, from: Bound<String>) -> impl Iterator<Item = (&str, &T)> + use<'_, T> {
        let from = from.as_ref().map(String::as_str);
        self.0.range::<str, _>((from, Bound::Unbounded)).map(|(name, item)| (&**name, item))
    }

    /// All of it, by namespace and key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, &T)> {
        self.behind(None)
    }
}

fn joined(namespace: &str, key: &str) -> String {
    [namespace, "\0", key].concat()
}

fn parted(name: &str) -> (&str, &str) {
    name.split_once('\0').unwrap_or((name, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_scanned_by_code_point_from_a_prefix_on_and_behind_another() {
        let mut table = Table::default();
        for (number, key) in ["b", "a\u{10000}", "a\u{e000}", "a", "", "c"].into_iter().enumerate() {
            table.add("n", key, number);
        }
        table.add("m", "a", 9);
        let scan = |prefix, after| table.scan("n", prefix, after).map(|(key, _)| key).collect::<Vec<_>>();
        assert_eq!(scan("", None), ["", "a", "a\u{e000}", "a\u{10000}", "b", "c"]);
        assert_eq!(scan("a", None), ["a", "a\u{e000}", "a\u{10000}"]);
        assert_eq!(scan("a", Some("a")), ["a\u{e000}", "a\u{10000}"]);
        assert_eq!(scan("a", Some("")), ["a", "a\u{e000}", "a\u{10000}"]);
        assert_eq!(scan("a", Some("b")), Vec::<&str>::new());
        assert_eq!(table.scan("none", "", None).count(), 0);
    }

    #[test]
    fn all_addresses_stand_in_one_order_and_can_be_gone_on_with() {
        let mut table = Table::default();
        for (namespace, key) in [("b", ""), ("a", "y"), ("c", "z"), ("a", "x"), ("b", "k")] {
            table.add(namespace, key, ());
        }
        let all: Vec<_> = table.iter().map(|(namespace, key, ())| (namespace, key)).collect();
        assert_eq!(all, [("a", "x"), ("a", "y"), ("b", ""), ("b", "k"), ("c", "z")]);
        for (index, last) in all.iter().enumerate() {
            let behind = table.behind(Some(*last)).map(|(namespace, key, ())| (namespace, key));
            assert_eq!(behind.collect::<Vec<_>>(), all[index + 1..]);
        }
        let absent = table.behind(Some(("aa", "q"))).map(|(namespace, key, ())| (namespace, key));
        assert_eq!(absent.collect::<Vec<_>>(), all[2..]);
    }

    #[test]
    fn an_address_that_holds_nul_is_no_other_s() {
        let mut table = Table::default();
        table.add("a", "b", 1);
        table.add("a", "", 2);
        assert_eq!((table.get("a\0b", ""), table.get("", "a\0b"), table.get("a", "\0b")), (None, None, None));
        assert_eq!((table.scan("a\0b", "", None).count(), table.scan("", "a", None).count()), (0, 0));
        assert_eq!(table.scan("a", "", Some("\0")).map(|(key, _)| key).collect::<Vec<_>>(), ["b"]);
    }
}
