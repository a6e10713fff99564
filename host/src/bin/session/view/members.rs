//! An object, member by member and in their order: what is not looked at is carried as it is written.

use serde_json::value::RawValue;

use super::object;

/// No number of ours is larger.
const LARGEST: u64 = (1 << 53) - 1;

/// The members of an object in their order.
pub struct Members<'a>(Vec<Member<'a>>);

/// A member of an object.
pub struct Member<'a> {
    /// How it is called. A name that is no Unicode text (`"\ud83d"`) is given as it is written.
    pub name: String,
    written: &'a str,
    value: &'a str,
}

/// An object that is being written, member by member.
pub struct Writing(String);

impl<'a> Members<'a> {
    /// None if it is no JSON, or something else than an object.
    pub fn read(json: &'a str) -> Option<Self> {
        let members = object::members(json).ok()?.into_iter();
        let member = |(name, value): (&'a RawValue, &'a RawValue)| Member {
            name: object::text(name),
            written: name.get(),
            value: value.get(),
        };
        Some(Self(members.map(member).collect()))
    }

    /// A member; of doubled ones the last.
    pub fn value(&self, name: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|member| member.name == name).map(|member| member.value)
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

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Member<'a>> {
        self.0.iter()
    }

    /// All but these.
    pub fn but(&self, names: &[&str]) -> impl Iterator<Item = &Member<'a>> {
        self.0.iter().filter(|member| !names.contains(&member.name.as_str()))
    }

    /// The object without these members, as JSON.
    pub fn without(&self, names: &[&str]) -> String {
        Writing::new().kept(self.but(names)).end()
    }

    /// The object with this in a member's place, as JSON.
    pub fn with(&self, replaced: &str, json: &str) -> String {
        let value = |member: &Member<'a>| if member.name == replaced { json } else { member.value };
        let mut written = Writing::new();
        self.0.iter().for_each(|member| written.member(member.written, value(member)));
        written.end()
    }
}

impl Writing {
    /// No members yet.
    pub fn new() -> Self {
        Self(String::from("{"))
    }

    /// Adds members that are called so, and are JSON already.
    pub fn named<'m>(mut self, members: impl IntoIterator<Item = (&'m str, &'m str)>) -> Self {
        members.into_iter().for_each(|(name, value)| self.member(&quoted(name), value));
        self
    }

    /// Adds members of another object as they are written there.
    pub fn kept<'m, 'a: 'm>(mut self, members: impl IntoIterator<Item = &'m Member<'a>>) -> Self {
        members.into_iter().for_each(|member| self.member(member.written, member.value));
        self
    }

    /// The object, as JSON.
    pub fn end(self) -> String {
        self.0 + "}"
    }

    fn member(&mut self, name: &str, value: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(name);
        self.0.push(':');
        self.0.push_str(value);
    }
}

/// An object of members that are JSON already.
pub fn object_of<'m>(members: impl IntoIterator<Item = (&'m str, &'m str)>) -> String {
    Writing::new().named(members).end()
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
    fn a_name_stays_as_it_is_written_and_is_found_by_what_it_says() {
        let json = r#"{"\u0061":1,"\ud83d":2,"\"\\ud83d\"":3}"#;
        let members = Members::read(json).unwrap();
        assert_eq!(members.value("a"), Some("1"));
        assert_eq!(members.without(&["b"]), json);
        assert_eq!(members.with("a", "1"), json);
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
