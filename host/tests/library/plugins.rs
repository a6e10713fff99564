//! Harness plugins in a few instructions each.

use std::sync::LazyLock;

use session_host::Harness;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::abi::{AbiVariant, WasmType};
use wit_parser::{PackageId, Resolve, WorldItem};

use crate::support::ENGINE;

/// The package, as it stands in `wit/`.
static WIT: LazyLock<(Resolve, PackageId)> = LazyLock::new(|| {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../wit")).unwrap();
    (resolve, package)
});

/// A harness whose `run` does this: it has `$session` `$session-length` `$input` `$input-length`, and leaves the address of
/// what it answers. `$ok` and `$err` make that from an address and a length.
pub fn harness(imports: &str, run: &str) -> Harness {
    ENGINE.load_harness(&component(imports, run)).unwrap()
}

/// A harness that only answers its input.
pub fn echo() -> Harness {
    harness("", "(call $ok (local.get $input) (local.get $input-length))")
}

/// A harness that makes one call about its session, whatever else the call takes being empty (but a child takes its id from
/// the input and a list has room for 50), and answers "ok" or the error's place in its variant: "a" for the first. An error
/// that is the tree's own is answered by its place in that variant: "A" for the first.
pub fn calling(interface: &str, name: &str) -> Harness {
    let function = functions().into_iter().find(|function| function.0 == interface && function.1 == name).unwrap();
    let (interface, name, parameters) = function;
    let last = parameters.len() - 1;
    // More arguments than a function takes stand in memory.
    let in_memory = last == 1;
    let arguments: Vec<String> = parameters
        .iter()
        .enumerate()
        .map(|(place, kind)| match (name.as_str(), place) {
            (_, place) if place == last => "(i32.const 16)".into(),
            _ if in_memory => "(i32.const 512)".into(),
            ("list", place) if place == last - 1 => "(i32.const 50)".into(),
            ("list", _) => format!("({kind}.const 0)"),
            (_, 0) => "(local.get $session)".into(),
            (_, 1) => "(local.get $session-length)".into(),
            ("fork", 4) => "(local.get $input)".into(),
            ("fork", 5) => "(local.get $input-length)".into(),
            _ => format!("({kind}.const 0)"),
        })
        .collect();
    let import = format!("(import \"{interface}\" \"{name}\" (func $call (param {})))", parameters.join(" "));
    // Its scope is the whole tree, and its child is called by the input.
    let fork_of_a_tree = match name.as_str() {
        "fork-tree" => {
            "(i32.store8 (i32.const 520) (i32.const 1))
             (i32.store (i32.const 552) (local.get $input))
             (i32.store (i32.const 556) (local.get $input-length))"
        }
        _ => "",
    };
    // Where the place of the error stands; a tree's error may be one of the session's.
    let error = match interface.contains("session-tree") {
        true => {
            "(if (result i32) (i32.load8_u (i32.const 24))
               (then (i32.add (i32.const 65) (i32.load8_u (i32.const 24))))
               (else (i32.add (i32.const 97) (i32.load8_u (i32.const 32)))))"
        }
        false => "(i32.add (i32.const 97) (i32.load8_u (i32.const 24)))",
    };
    let run = format!(
        "(i32.store (i32.const 512) (local.get $session))
         (i32.store (i32.const 516) (local.get $session-length))
         {fork_of_a_tree}
         (call $call {})
         (if (result i32) (i32.load8_u (i32.const 16))
           (then
             (i32.store8 (i32.const 0) {error})
             (call $ok (i32.const 0) (i32.const 1)))
           (else
             (i32.store16 (i32.const 0) (i32.const 0x6b6f))
             (call $ok (i32.const 0) (i32.const 2))))",
        arguments.join(" ")
    );
    harness(&import, &run)
}

/// Every call that a harness is given, but the clock: interface, name, and the parameters of its core function, of which the
/// last is the address of the answer.
pub fn functions() -> Vec<(String, String, Vec<&'static str>)> {
    let (resolve, package) = &*WIT;
    let world = &resolve.worlds[resolve.select_world(&[*package], Some("harness")).unwrap()];
    let mut functions = Vec::new();
    for item in world.imports.values() {
        let WorldItem::Interface { id, .. } = item else { continue };
        let interface = resolve.id_of(*id).unwrap();
        for function in resolve.interfaces[*id].functions.values().filter(|function| function.name != "now") {
            let signature = resolve.wasm_signature(AbiVariant::GuestImport, function);
            let parameters = signature.params.iter().map(|kind| match kind {
                WasmType::I64 => "i64",
                _ => "i32",
            });
            functions.push((interface.clone(), function.name.clone(), parameters.collect()));
        }
    }
    functions
}

/// The bytes of such a harness.
pub fn component(imports: &str, run: &str) -> Vec<u8> {
    component_with(imports, "", BUMP, run)
}

/// Gives what was never given before.
const BUMP: &str = "(global.get $free)
    (global.set $free (i32.and (i32.const -8) (i32.add (i32.const 7) (i32.add (global.get $free) (local.get 3)))))";

/// The bytes of a harness that has more functions than `run`, and gets its memory like this: the fourth parameter says how
/// much is wanted.
pub fn component_with(imports: &str, functions: &str, realloc: &str, run: &str) -> Vec<u8> {
    let text = format!(
        r#"(module
          {imports}
          (memory (export "memory") 16)
          (global $free (mut i32) (i32.const 4096))
          (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) {realloc})
          {functions}
          (func $answer (param $case i32) (param $text i32) (param $length i32) (result i32)
            (i32.store8 (i32.const 2048) (local.get $case))
            (i32.store (i32.const 2052) (local.get $text))
            (i32.store (i32.const 2056) (local.get $length))
            (i32.const 2048))
          (func $ok (param i32 i32) (result i32) (call $answer (i32.const 0) (local.get 0) (local.get 1)))
          (func $err (param i32 i32) (result i32) (call $answer (i32.const 1) (local.get 0) (local.get 1)))
          (func $run (export "run")
            (param $session i32) (param $session-length i32) (param $input i32) (param $input-length i32) (result i32)
            {run}))"#
    );
    let (resolve, package) = &*WIT;
    let world = resolve.select_world(&[*package], Some("harness")).unwrap();
    let mut module = wat::parse_str(text).unwrap();
    embed_component_metadata(&mut module, resolve, world, StringEncoding::UTF8).unwrap();
    ComponentEncoder::default().module(&module).unwrap().encode().unwrap()
}
