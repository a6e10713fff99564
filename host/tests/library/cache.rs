//! An engine with a cache does what one without does.

use std::fs;

use session_host::{Engine, Memory, Sessions};

use crate::plugins::component;

fn works(engine: &Engine) -> bool {
    Sessions::new(engine, Memory::new()).has("a").is_ok()
}

#[test]
fn the_second_engine_finds_what_the_first_compiled() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("not/there/yet");
    assert!(works(&Engine::with_cache(&folder).unwrap()));
    let files = || fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let [file] = &files()[..] else { panic!("one component, one file") };
    let written = fs::metadata(file).unwrap().modified().unwrap();
    assert!(works(&Engine::with_cache(&folder).unwrap()));
    assert_eq!(files(), std::slice::from_ref(file));
    assert_eq!(fs::metadata(file).unwrap().modified().unwrap(), written);
}

#[test]
fn harness_components_are_kept_too() {
    let dir = tempfile::tempdir().unwrap();
    let engine = Engine::with_cache(dir.path()).unwrap();
    let wasm = component("", "unreachable");
    for _ in 0..2 {
        engine.load_harness(&wasm).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }
}

#[test]
fn a_damaged_cache_is_compiled_over() {
    let dir = tempfile::tempdir().unwrap();
    drop(Engine::with_cache(dir.path()).unwrap());
    let file = fs::read_dir(dir.path()).unwrap().next().unwrap().unwrap().path();
    let good = fs::read(&file).unwrap();
    fs::write(&file, &good[..good.len() / 2]).unwrap();
    assert!(works(&Engine::with_cache(dir.path()).unwrap()));
    assert_eq!(fs::read(&file).unwrap().len(), good.len());
}

#[test]
fn a_folder_that_cannot_be_made_is_done_without() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(works(&Engine::with_cache(&file).unwrap()));
    assert!(works(&Engine::with_cache(file.join("below")).unwrap()));
}

#[cfg(unix)]
#[test]
fn nothing_is_put_where_others_can_write() {
    use std::os::unix::fs::PermissionsExt;

    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o777)).unwrap();
    assert!(works(&Engine::with_cache(dir.path()).unwrap()));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}
