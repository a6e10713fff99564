//! An object, member by member and in their order: what is not looked at is carried as it is written.

use serde_json::value::RawValue;

use super::object;

/// No number of ours is larger.
const LARGEST: u64 = (1 << 53) - 1;

/// The members of an object in their order.
pub struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    /// None if it is no JSON, or something else than an object.
    pub fn read(json: &'a str) -> Option<Self> {
        object::members(json).ok().map(Self)
    }

    /// A member; of doubled ones the last.
    pub fn value(&self, name: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(member, _)| member == name).map(|(_, value)| value.get())
    }

    /// A member that is not `null`.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.value(name).filter(|value| *value != "null")
    }

    /// What a member says that is a string.
    pub fn string(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.get(name)?).ok()
    }

    /// A member that is a whole number, however it is written.
    pub fn number(&self, name: &str) -> Option<u64> {
        let json = self.get(name)?;
        let whole = |number: f64| (number >= 0.0 && number.fract() == 0.0).then_some(number as u64);
        json.parse().ok().or_else(|| whole(json.parse().ok()?)).filter(|number| *number <= LARGEST)
    }

    /// A member that is any number.
    pub fn amount(&self, name: &str) -> Option<f64> {
        self.get(name)?.parse().ok().filter(|amount: &f64| amount.is_finite())
    }

    /// A member that is an object too.
    pub fn object(&self, name: &str) -> Option<Members<'a>> {
        Members::read(self.get(name)?)
    }

    /// All of them, as JSON.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.get()))
    }

    /// The object without these members, as JSON.
    pub fn without(&self, names: &[&str]) -> String {
        object_of(self.all().filter(|(name, _)| !names.contains(name)))
    }

    /// The object with this in a member's place, as JSON.
    pub fn with(&self, replaced: &str, json: &str) -> String {
        object_of(self.all().map(|(name, value)| (name, if name == replaced { json } else { value })))
    }
}

/// An object of members that are JSON already.
pub fn object_of<'m>(members: impl IntoIterator<Item = (&'m str, &'m str)>) -> String {
    let mut json = String::from("{");
    for (name, value) in members {
        if json.len() > 1 {
            json.push(',');
        }
        json.push_str(&quoted(name));
        json.push(':');
        json.push_str(value);
    }
    json + "}"
}

/// A text as JSON.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_looked_at_stays_as_it_is_written() {
        let members = Members::read(r#"{ "id":"a", "n" : 1.0, "t":"\ud83d","n":10000000000000000001 }"#).unwrap();
        assert_eq!(members.without(&["id"]), r#"{"n":1.0,"t":"\ud83d","n":10000000000000000001}"#);
        assert_eq!(members.with("t", "7"), r#"{"id":"a","n":1.0,"t":7,"n":10000000000000000001}"#);
    }

    #[test]
    fn a_number_is_whole_and_fits() {
        let members = Members::read(r#"{"a":7,"b":7.0,"c":7.5,"d":-1,"e":9007199254740992,"f":"7"}"#).unwrap();
        assert_eq!(
            ["a", "b", "c", "d", "e", "f"].map(|name| members.number(name)),
            [Some(7), Some(7), None, None, None, None]
        );
    }

    #[test]
    fn what_is_no_object_has_no_members() {
        assert!(Members::read("[]").is_none() && Members::read("{").is_none() && Members::read("{} x").is_none());
    }
}
