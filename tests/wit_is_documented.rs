//! The contract explains itself: every item of the WIT package has its words.

use wit_parser::{Docs, Resolve, TypeDefKind};

#[test]
fn every_item_of_the_package_is_documented() {
    let mut resolve = Resolve::default();
    let wit = concat!(env!("CARGO_MANIFEST_DIR"), "/../wit");
    resolve.push_path(wit).expect("the package is sound");

    let mut bare = Vec::new();
    let mut judge = |docs: &Docs, name: String| {
        if docs.contents.as_ref().is_none_or(|contents| contents.trim().is_empty()) {
            bare.push(name);
        }
    };
    for (_, interface) in &resolve.interfaces {
        let name = interface.name.clone().unwrap_or_default();
        judge(&interface.docs, name.clone());
        for function in interface.functions.values() {
            judge(&function.docs, format!("{name}.{}", function.name));
        }
        for (type_name, id) in &interface.types {
            let item = &resolve.types[*id];
            let name = format!("{name}.{type_name}");
            match &item.kind {
                // Used from another interface, where it is documented.
                TypeDefKind::Type(wit_parser::Type::Id(_)) => continue,
                TypeDefKind::Record(record) => {
                    record.fields.iter().for_each(|field| judge(&field.docs, format!("{name}.{}", field.name)));
                }
                TypeDefKind::Variant(variant) => {
                    variant.cases.iter().for_each(|case| judge(&case.docs, format!("{name}.{}", case.name)));
                }
                TypeDefKind::Enum(cases) => {
                    cases.cases.iter().for_each(|case| judge(&case.docs, format!("{name}.{}", case.name)));
                }
                _ => {}
            }
            judge(&item.docs, name);
        }
    }
    for (_, world) in &resolve.worlds {
        judge(&world.docs, world.name.clone());
    }
    assert_eq!(bare, Vec::<String>::new());
}
