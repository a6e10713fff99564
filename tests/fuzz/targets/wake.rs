//! A whole `wake` through the component, over any bytes, against the model.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use session_host::Engine;
use session_tests::model::assert_agreement;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::new().expect("the component compiles"));

fuzz_target!(|bytes: &[u8]| assert_agreement(&ENGINE, bytes));
