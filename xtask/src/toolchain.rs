//! Finding a Rust toolchain that builds for WebAssembly, and bringing one in where there is none.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use xtask::root;

use crate::execute;

/// What the components are built for: no system at all, so no WASI import.
pub const TARGET: &str = "wasm32-unknown-unknown";
/// The `rust-version` of the crates that become components.
const OLDEST: (u32, u32) = (1, 88);
/// What Debian calls a current toolchain with the sources of the standard library. Its linker is named after its LLVM.
const DEBIAN: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];

/// One that can build the components.
pub struct Toolchain {
    cargo: PathBuf,
    rustc: PathBuf,
    linker: PathBuf,
    sysroot: PathBuf,
    /// The toolchain brings no standard library for the target, but its sources.
    build_std: bool,
    commit: String,
    /// Two toolchains with the same text build the same bytes.
    pub version: String,
}

impl Toolchain {
    /// The one that is wanted, if it is on this machine; else another one, installed if need be.
    pub fn find(wanted: Option<&str>) -> Result<Self> {
        let mut found = Self::present();
        if found.is_empty() {
            install()?;
            found = Self::present();
        }
        let best = found.iter().position(|toolchain| Some(toolchain.version.as_str()) == wanted).unwrap_or(0);
        if found.is_empty() {
            bail!("the toolchain that was installed can't build for {TARGET}; {}", advice());
        }
        Ok(found.swap_remove(best))
    }

    /// The system's, and the one that runs this program.
    fn present() -> Vec<Self> {
        let own = env::var_os("CARGO").map(PathBuf::from).and_then(|cargo| Some(cargo.parent()?.to_path_buf()));
        [Some("/usr/bin".into()), own].into_iter().flatten().filter_map(|bin: PathBuf| Self::in_folder(&bin)).collect()
    }

    /// The toolchain whose programs are in that folder, if it can build for the target.
    fn in_folder(bin: &Path) -> Option<Self> {
        let (cargo, rustc) = (program(bin, "cargo"), program(bin, "rustc"));
        if !cargo.exists() {
            return None;
        }
        let about = output(Command::new(&rustc).arg("-vV"))?;
        let field = |name: &str| about.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let mut release = field("release")?.split('.').map(|part| part.parse().unwrap_or(0));
        if (release.next()?, release.next()?) < OLDEST {
            return None;
        }

        let sysroot = PathBuf::from(output(Command::new(&rustc).args(["--print", "sysroot"]))?);
        let rustlib = sysroot.join("lib/rustlib");
        let build_std = !rustlib.join(TARGET).join("lib").exists();
        if build_std && !rustlib.join("src/rust/library/Cargo.toml").exists() {
            return None;
        }

        let shipped = program(&rustlib.join(field("host")?).join("bin"), "rust-lld");
        let llvm = field("LLVM version")?.split('.').next()?;
        let linker = [shipped, program(bin, &format!("lld-{llvm}"))].into_iter().find(|linker| linker.exists())?;
        let lld = output(Command::new(&linker).args(["-flavor", "wasm", "--version"]))?;
        // What follows the version may be a path.
        let lld = lld.split_once(" (").map_or(lld.as_str(), |(version, _)| version);
        let std = if build_std { "built from its sources" } else { "as it came" };
        let version = format!("{about}\nlinker: {lld}\nstandard library: {std}");
        let commit = field("commit-hash")?.to_string();
        Some(Self { cargo, rustc, linker, sysroot, build_std, commit, version })
    }

    /// Its compiler's version and where it stands.
    pub fn name(&self) -> String {
        format!("{} ({})", self.version.lines().next().unwrap_or_default(), self.rustc.display())
    }

    /// A call of its cargo from the workspace's folder, that nothing in the caller's environment can turn aside.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.cargo);
        command.args(arguments).current_dir(root());
        for (name, _) in env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("CARGO") && name != "CARGO_HOME" || name.starts_with("RUST") && name != "RUSTUP_HOME" {
                command.env_remove(&*name);
            }
        }
        command.env("RUSTC", &self.rustc).env("RUSTC_WRAPPER", "").env("RUSTC_WORKSPACE_WRAPPER", "");
        command
    }

    /// The command that builds a crate for the target, to bytes that don't depend on where things are on this machine.
    pub fn build(&self, package: &str, default_features: bool) -> Result<Command> {
        // As an rlib too, a crate would not be optimised as a whole.
        let mut command = self.cargo(&["rustc", "--locked", "--profile", "component", "--crate-type", "cdylib"]);
        command.args(["--target", TARGET, "--target-dir", "target/component", "--package", package]);
        if !default_features {
            command.arg("--no-default-features");
        }
        if self.build_std {
            command.arg("-Zbuild-std=std,panic_abort").env("RUSTC_BOOTSTRAP", "1");
        }
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", &self.linker);
        let mut flags = vec![OsString::from("-Ctarget-feature=+simd128")];
        flags.extend(self.remaps()?.into_iter().map(|(from, to)| remap(&from, &to)));
        command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}".as_ref()));
        Ok(command)
    }

    /// Folders of this machine, and what they are called in the component. Of several that fit, rustc takes the last.
    fn remaps(&self) -> Result<Vec<(PathBuf, String)>> {
        let mut remaps = vec![(root().to_path_buf(), "session".to_string())];

        let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
        let registries = home.context("there is no home folder")?.join("registry/src");
        for registry in fs::read_dir(&registries).with_context(|| format!("can't list {}", registries.display()))? {
            remaps.push((registry?.path(), "crates".to_string()));
        }

        // The standard library is called as it is in the builds that rustup brings.
        let library = self.sysroot.join("lib/rustlib/src/rust");
        let real = fs::canonicalize(&library);
        for library in [Some(library), real.ok()].into_iter().flatten() {
            remaps.push((library, format!("/rustc/{}", self.commit)));
        }
        Ok(remaps)
    }
}

fn remap(from: &Path, to: &str) -> OsString {
    let mut flag = OsString::from("--remap-path-prefix=");
    flag.push(from);
    flag.push("=");
    flag.push(to);
    flag
}

fn program(folder: &Path, name: &str) -> PathBuf {
    folder.join(name).with_extension(env::consts::EXE_EXTENSION)
}

/// What a command prints, without the last line end; none if it can't be run or fails.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim_end().to_string())
}

/// Debian's packages where that is allowed, else rustup's target.
fn install() -> Result<()> {
    let is_root = output(Command::new("id").arg("-u")).as_deref() == Some("0");
    if is_root && Path::new("/usr/bin/apt-get").exists() {
        match install_from_debian() {
            Ok(()) => return Ok(()),
            Err(error) => eprintln!("note: {error:#}"),
        }
    }
    execute(Command::new("rustup").args(["target", "add", TARGET])).with_context(advice)
}

fn install_from_debian() -> Result<()> {
    apt_get(&["update"])?;
    let install = ["install", "--yes", "--no-install-recommends", "--no-remove"];
    apt_get(&[&install[..], &DEBIAN].concat())?;
    let about = output(Command::new("/usr/bin/rustc").arg("-vV")).context("/usr/bin/rustc does not run")?;
    let llvm = about.split_once("LLVM version: ").and_then(|(_, version)| version.split('.').next());
    let linker = format!("lld-{}", llvm.context("/usr/bin/rustc names no LLVM")?);
    apt_get(&[&install[..], &[&linker]].concat())
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    execute(Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
}

fn advice() -> String {
    format!(
        "run `rustup target add {TARGET}`, or install Debian's packages {} and the lld-N that fits their LLVM",
        DEBIAN.join(", ")
    )
}
