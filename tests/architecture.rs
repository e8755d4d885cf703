//! The invariants that ARCHITECTURE.md names, read from the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// Every Rust file under a folder of the crate, with its text.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(path) = open.pop() {
        for entry in fs::read_dir(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())) {
            let path = entry.expect("a folder lists its entries").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                let text = fs::read_to_string(&path).expect("sources are UTF-8");
                found.push((path, text));
            }
        }
    }
    assert!(!found.is_empty(), "{folder} has no sources");
    found
}

/// The part that ships: everything above an inline test module, without comments.
fn production(text: &str) -> Vec<&str> {
    text.split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or(text)
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect()
}

#[track_caller]
fn forbid(folder: &str, words: &[&str], why: &str) {
    for (path, text) in sources(folder).into_iter().filter(|(path, _)| !path.ends_with("tests.rs")) {
        for line in production(&text) {
            for word in words {
                assert!(!line.contains(word), "{}: {word:?} is forbidden: {why}\n{line}", path.display());
            }
        }
    }
}

#[test]
fn the_engine_knows_no_page_no_clock_no_chance_and_no_file() {
    forbid(
        "src/engine",
        &[
            "leptos",
            "web_sys",
            "js_sys",
            "wasm_bindgen",
            "gloo_",
            "plotters",
            "crate::ui",
            "crate::chart",
            "Instant::now",
            "SystemTime",
            "std::fs",
            "std::env",
            "std::net",
            "std::thread",
            "rand::",
            "println!",
        ],
        "the engine is pure",
    );
}

#[test]
fn nothing_unsafe_is_in_the_crate() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let manifest = fs::read_to_string(manifest).expect("cargo has read it");
    let lints = manifest.split("[lints.rust]").nth(1).expect("the crate has lints");
    assert!(lints.trim_start().starts_with("unsafe_code = \"forbid\""), "{lints:.80}");
}

#[test]
fn the_engine_prints_in_a_fixed_order() {
    forbid("src/engine", &["HashMap", "HashSet"], "their iteration order would reach the output");
}

#[test]
fn the_engine_does_not_panic_on_input() {
    forbid("src/engine", &[".unwrap()", "panic!(", "todo!(", "unimplemented!("], "problems are returned");
}

#[test]
fn charts_know_no_page() {
    forbid("src/chart", &["leptos", "web_sys", "wasm_bindgen", "crate::ui"], "charts are data to drawing");
}

#[test]
fn laws_know_nothing_above_them() {
    for folder in ["src/engine/queueing", "src/engine/retry", "src/engine/latency", "src/engine/units"] {
        forbid(
            folder,
            &["engine::sizing", "engine::rules", "engine::analysis", "engine::scenario", "engine::envoy"],
            "laws are below everything that uses them",
        );
    }
    forbid("src/engine/envoy", &["engine::sizing", "engine::rules"], "Envoy's side takes no decisions");
}

#[test]
fn components_know_no_domain() {
    forbid(
        "src/ui/components",
        &["crate::ui::panels", "crate::ui::state", "engine::sizing"],
        "components are reusable",
    );
}

#[test]
fn desks_know_no_browser() {
    for folder in ["src/auditor", "src/embed", "src/review", "src/reviewer", "src/shelf", "src/simulator"] {
        let at_the_edge = ["worker.rs", "page.rs", "browser.rs"];
        let inside = |(path, _): &(PathBuf, String)| !at_the_edge.iter().any(|name| path.ends_with(name));
        for (path, text) in sources(folder).into_iter().filter(inside) {
            let name = path.display().to_string();
            for word in ["web_sys", "js_sys", "leptos", "crate::ui", "Instant::now", "HashMap", "style="] {
                assert!(!production(&text).iter().any(|line| line.contains(word)), "{name}: {word:?}");
            }
        }
    }
}

#[test]
fn the_embed_knows_no_storage_and_no_history() {
    forbid(
        "src/embed",
        &["gloo_storage", "web_sys", "leptos", "Storage", "History"],
        "it lives in foreign pages",
    );
    let glue = ["embed.html", "embed-look.js", "embed-mode.js", "embed-simulate.js", "embed.js"];
    for name in glue {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("public").join(name);
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for word in [
            "localStorage",
            "sessionStorage",
            "indexedDB",
            "document.cookie",
            "pushState",
            "replaceState",
            "http://",
            "eval(",
        ] {
            assert!(!text.contains(word), "{name}: {word}");
        }
    }
}

#[test]
fn no_style_strings_in_the_page() {
    forbid(
        "src/ui",
        &["style=", "style:", "inner_html=\"<"],
        "the content security policy allows no inline style",
    );
    forbid("src/chart", &["style="], "the content security policy allows no inline style");
}

#[test]
fn what_only_the_command_line_writes_is_not_in_the_page() {
    let read =
        |path: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a source");
    let engine = read("src/engine/mod.rs");
    assert!(engine.contains("#[cfg(feature = \"cli\")]\npub mod dialects;"), "dialects are not behind `cli`");
    let manifest = read("Cargo.toml");
    let features =
        manifest.split("[features]").nth(1).expect("features").split("\n[").next().expect("features");
    let others = features.lines().filter(|line| !line.starts_with("cli = "));
    assert!(others.clone().count() > 5 && others.clone().all(|line| !line.contains("\"cli\"")), "{features}");
}

#[test]
fn files_stay_small() {
    // The table of inputs is one table on purpose.
    const TABLES: [&str; 1] = ["params.rs"];
    for (folder, limit) in [
        ("src/engine/rules", 200),
        ("src/engine", 420),
        ("src/chart", 400),
        ("src/ui", 320),
        ("src/cli", 400),
        ("src/shelf", 400),
        ("src/simulator", 420),
        ("src/embed", 320),
        ("src/review", 400),
        ("src/reviewer", 400),
    ] {
        for (path, text) in sources(folder).into_iter().filter(|(path, _)| !path.ends_with("tests.rs")) {
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
            let lines = production(&text).len();
            assert!(
                TABLES.contains(&name) || lines <= limit,
                "{} has {lines} lines, allowed are {limit}",
                path.display()
            );
        }
    }
}

#[test]
fn every_folder_of_the_engine_is_in_the_map() {
    let map = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md"))
        .expect("the map exists");
    for entry in
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engine")).expect("the engine exists")
    {
        let path = entry.expect("a folder lists its entries").path();
        let name = path.file_stem().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
        assert!(
            name == "mod" || map.contains(&format!("`{name}")),
            "ARCHITECTURE.md does not mention {name}"
        );
    }
    assert!(map.lines().count() <= 150, "ARCHITECTURE.md has {} lines", map.lines().count());
}

#[test]
fn the_foot_of_the_page_names_the_rules_in_force() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("index.html")).expect("a page");
    let link = format!(">Rules {}</a>", headroom::engine::scenario::RULES_VERSION);
    assert!(page.contains(&link), "index.html has no link {link:?}");
}

/// Every script that is served, with its text.
fn scripts(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.expect("a folder lists its entries").path();
        if path.is_dir() {
            found.extend(scripts(&path));
        } else if path.extension().is_some_and(|ext| ext == "js") {
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
            found.push((name, fs::read_to_string(&path).expect("sources are UTF-8")));
        }
    }
    found
}

#[test]
fn scripts_write_no_html_from_texts() {
    // HTML comes from Rust, which escapes as it writes, in these lines and in no other.
    const WRITTEN_BY_RUST: [(&str, &str); 11] = [
        ("audit.js", "if (place) place.innerHTML = html;"),
        ("embed-mode.js", "for (const [id, html] of changes) if (element(id)) element(id).innerHTML = html;"),
        ("embed-simulate.js", "place.innerHTML = html;"),
        // The glossary, a page of the build.
        ("guide.js", ".then((text) => new DOMParser().parseFromString(text, \"text/html\")));"),
        ("learn.js", "for (const [id, html] of changes) document.getElementById(id).innerHTML = html;"),
        // Steps of `markup::patch`, which no text can forge (`tests/ui_state/patch.rs`).
        ("patch.js", "else if (sign === \"=\") at.innerHTML = text;"),
        ("patch.js", "} else at.insertAdjacentHTML(sign === \"+\" ? \"beforebegin\" : \"beforeend\", text);"),
        ("review.js", "if (place) place.innerHTML = html;"),
        ("shelf.js", "if (panel !== null) dialog.innerHTML = panel;"),
        ("shelf.js", "if (place && place.innerHTML !== html) place.innerHTML = html;"),
        ("simulate.js", "place.innerHTML = html;"),
    ];
    const SINKS: [&str; 12] = [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "setHTMLUnsafe",
        "parseHTMLUnsafe",
        "document.write",
        "createContextualFragment",
        "DOMParser",
        "srcdoc",
        "eval(",
        "new Function",
        "javascript:",
    ];
    let all = scripts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("public"));
    assert!(all.iter().any(|(name, _)| name == "boot.js"), "public/ has no scripts");
    for (name, text) in &all {
        for line in text.lines().map(str::trim).filter(|line| SINKS.iter().any(|sink| line.contains(sink))) {
            let is_known = WRITTEN_BY_RUST.contains(&(name.as_str(), line)) || is_constant(line);
            assert!(is_known, "public/{name}: HTML that may come from a text:\n{line}");
        }
    }
    for known in WRITTEN_BY_RUST {
        assert!(
            all.iter().any(|(name, text)| name == known.0 && text.contains(known.1)),
            "{known:?} is not there any more"
        );
    }
}

/// One text without anything filled in: `x.innerHTML = "…";`
fn is_constant(line: &str) -> bool {
    let Some((_, value)) = line.split_once(".innerHTML = ") else { return false };
    let Some(value) = value.strip_suffix(';') else { return false };
    ['"', '\''].into_iter().any(|quote| {
        let inside = value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        inside.is_some_and(|inside| !inside.contains(quote) && !inside.contains('\\'))
    })
}

#[test]
fn constants_are_told_from_texts() {
    for line in ["x.innerHTML = \"\";", "a.b.innerHTML = '<p class=\"x\">y</p>';"] {
        assert!(is_constant(line), "{line}");
    }
    for line in [
        "x.innerHTML = html;",
        "x.innerHTML = 'a' + b + 'c';",
        "x.innerHTML = `${a}`;",
        "x.innerHTML += 'a';",
    ] {
        assert!(!is_constant(line), "{line}");
    }
}
