//! A whole `wake` through the component, over any bytes, against the model.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use session_host::Engine;
use session_tests::model::assert_agreement;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::new().expect("the component compiles"));

// Compiled before the time runs: with the fuzzer's counters in it, that takes as long as a short run lasts.
fuzz_target!(init: drop(LazyLock::force(&ENGINE).clone()), |bytes: &[u8]| {
    assert_agreement(&ENGINE, bytes);
});
