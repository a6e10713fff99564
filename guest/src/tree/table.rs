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

/// What is kept by namespace and key. Keys are in the order of their code points, which is that of their bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table<T>(BTreeMap<Box<str>, BTreeMap<Box<str>, T>>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T> Table<T> {
    /// What is at that address.
    pub fn get(&self, namespace: &str, key: &str) -> Option<&T> {
        self.0.get(namespace)?.get(key)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, namespace: &str, key: &str) -> Option<&mut T> {
        self.0.get_mut(namespace)?.get_mut(key)
    }

    /// Puts something where nothing is.
    pub fn add(&mut self, namespace: &str, key: &str, item: T) {
        match self.0.get_mut(namespace) {
            Some(keys) => drop(keys.insert(key.into(), item)),
            None => drop(self.0.insert(namespace.into(), BTreeMap::from([(key.into(), item)]))),
        }
    }

    /// Takes away what is at that address.
    pub fn remove(&mut self, namespace: &str, key: &str) -> Option<T> {
        let keys = self.0.get_mut(namespace)?;
        let removed = keys.remove(key);
        if keys.is_empty() {
            self.0.remove(namespace);
        }
        removed
    }

    /// What a namespace holds under keys that begin with `prefix` and come behind `after`, by key.
    pub fn scan<'a>(
        &'a self,
        namespace: &str,
        prefix: &'a str,
        after: Option<&'a str>,
    ) -> impl Iterator<Item = (&'a str, &'a T)> {
        let from = match after {
            Some(after) if after >= prefix => Bound::Excluded(after),
            _ => Bound::Included(prefix),
        };
        let keys = self.0.get(namespace).into_iter();
        keys.flat_map(move |keys| keys.range::<str, _>((from, Bound::Unbounded)))
            .map(|(key, item)| (&**key, item))
            .take_while(move |(key, _)| key.starts_with(prefix))
    }

    /// What comes behind that address, by namespace and key.
    pub fn behind<'a>(&'a self, after: Option<(&str, &'a str)>) -> impl Iterator<Item = (&'a str, &'a str, &'a T)> {
        let (namespace, key) = after.map_or((None, None), |(namespace, key)| (Some(namespace), Some(key)));
        let same = namespace.and_then(|namespace| self.0.get_key_value(namespace));
        let rest = self.0.range::<str, _>((namespace.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded));
        let same = same.into_iter().flat_map(move |(namespace, keys)| {
            let behind = keys.range::<str, _>((key.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded));
            behind.map(move |(key, item)| (&**namespace, &**key, item))
        });
        same.chain(rest.flat_map(|(namespace, keys)| keys.iter().map(move |(key, item)| (&**namespace, &**key, item))))
    }

    /// All of it, by namespace and key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, &T)> {
        self.behind(None)
    }
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
}
