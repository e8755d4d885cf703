//! On any static host: under any path, with the headers that the build comes with.

use crate::driver::variable;
use crate::server::Server;
use crate::site::Site;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where people put it: the root of a host, and a folder of one.
const BASES: [&str; 2] = ["/", "/tools/headroom/"];

impl Site {
    fn under(base: &str) -> Self {
        Self::on(Server::start_under(PathBuf::from(variable("HEADROOM_DIST")), base))
    }

    /// A header of an answer.
    fn header(&self, file: &str, name: &str) -> String {
        let value = self.browser.script_async(
            "const [file, name, done] = arguments; fetch(new URL(file, document.baseURI)).then(r => done(r.headers.get(name)))",
            &json!([file, name]),
        );
        value.as_str().unwrap_or_default().to_owned()
    }
}

#[test]
fn everything_works_under_any_path_with_the_headers() {
    for base in BASES {
        let site = Site::under(base);
        site.visit("");
        assert!(site.browser.address().contains(base), "{base}");
        site.browser.retype("#rps", "900");
        site.browser.wait_for("location.hash.includes('rps=900')");
        assert!(site.browser.address().starts_with(site.server.address()), "{base}: the link stays below it");
        site.browser.click("[data-view-of=audit]");
        site.browser.wait_for("document.querySelector('#audit [data-do=\"audit example\"]')");
        site.browser.click("#audit [data-do='audit example']");
        site.browser.wait_for("document.querySelector('#audit .hr-finds li')");
        site.browser.click("[data-view-of=simulate]");
        site.browser.wait_for("document.querySelector('#sim-plot-served')?.firstChild");
        // Back to the first view: the address of the page, not of the host.
        site.browser.click("[data-view-of=size]");
        site.browser.wait_for("getComputedStyle(document.querySelector('#answer')).display !== 'none'");
        assert!(site.browser.address().starts_with(&format!("{}#", site.server.address())), "{base}");
        site.browser.click("#shortcuts");
        site.browser.wait_for("document.querySelector('dialog[open]')");
        site.wait_kept();
        let scope = site.browser.script_async(
            "const done = arguments[0]; navigator.serviceWorker.getRegistration().then(r => done(r.scope))",
            &json!([]),
        );
        assert_eq!(scope, json!(site.server.address()), "{base}");
        site.browser.go(&format!("{}rules.html", site.server.address()));
        assert!(site.text("h1").contains("Rules"), "{base}");
        assert_eq!(site.browser.log("browser"), Vec::<Value>::new(), "{base}: no policy is violated");
        let lost: Vec<String> =
            site.server.take_asked().into_iter().filter(|path| !path.starts_with(base)).collect();
        assert!(lost.iter().all(|path| path == "/favicon.ico"), "{base}: asked for outside of it: {lost:?}");
        // What was kept is kept for this path.
        site.server.go_down();
        site.visit("#v=1&name=cart&rps=700&p50=35&p99=110");
        assert_eq!(site.value("rps"), "700", "{base}");
    }
}

#[test]
fn headers_say_what_the_page_says() {
    let site = Site::under("/");
    site.visit("");
    let own = site.browser.text_of("document.querySelector('meta[http-equiv]').content");
    let policy = site.header("", "content-security-policy");
    assert_eq!(policy, format!("{own}; frame-ancestors *"), "_headers and index.html");
    assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{policy}");
    assert_eq!(site.header("audit.js", "x-content-type-options"), "nosniff");
    assert_eq!(site.header("audit.js", "referrer-policy"), "no-referrer");
    for name in ["", "index.html", "sw.js"] {
        assert_eq!(site.header(name, "cache-control"), "no-cache", "{name:?}");
    }
    assert_eq!(site.header("embed.js", "access-control-allow-origin"), access_to_embed());
    // What has its hash in its name never changes; nothing else may be called so.
    let files = std::fs::read_dir(variable("HEADROOM_DIST")).expect("the build is a folder");
    let names = files.map(|entry| entry.expect("a folder lists its entries").file_name());
    for name in names.filter_map(|name| name.into_string().ok()) {
        let has_hash = name
            .split(['-', '.', '_'])
            .any(|part| part.len() >= 12 && part.bytes().all(|b| b.is_ascii_hexdigit()));
        let is_forever = site.header(&name, "cache-control").contains("immutable");
        assert_eq!(is_forever, has_hash, "{name}");
    }
}

/// The element is a module that pages of others load, if this build has it.
fn access_to_embed() -> &'static str {
    if PathBuf::from(variable("HEADROOM_DIST")).join("embed.js").exists() { "*" } else { "" }
}

#[test]
fn the_policy_stops_what_it_must() {
    let site = Site::under("/");
    site.visit("");
    // In a task of its own: what the driver itself runs is not under the policy.
    let ran = site.browser.script_async(
        r"const done = arguments[0];
          const ran = [];
          window.ran = ran;
          setTimeout(async () => {
            try { (0, eval)('ran.push(1)'); } catch { /* stopped */ }
            try { new Function('ran.push(2)')(); } catch { /* stopped */ }
            const inline = document.createElement('script');
            inline.textContent = 'ran.push(3)';
            document.body.append(inline);
            const foreign = document.createElement('script');
            foreign.src = 'https://example.invalid/x.js';
            document.body.append(foreign);
            document.body.insertAdjacentHTML('beforeend', '<a id=mark onclick=ran.push(4) style=color:red>x</a>');
            document.getElementById('mark').click();
            if (document.getElementById('mark').style.color && getComputedStyle(document.getElementById('mark')).color === 'rgb(255, 0, 0)') ran.push(5);
            try { await fetch('https://example.invalid/'); ran.push(6); } catch { /* stopped */ }
            try { new Worker(URL.createObjectURL(new Blob(['postMessage(0)']))).onmessage = () => ran.push(7); } catch { /* stopped */ }
            // The one thing that is allowed, since the calculator is one.
            await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
            setTimeout(() => done(ran), 300);
          }, 0);",
        &json!([]),
    );
    let stopped = site.browser.log("browser").len();
    assert_eq!(ran, json!([]));
    assert!(stopped >= 6, "{stopped} violations are reported");
}

#[test]
fn the_page_can_be_installed() {
    let site = Site::under("/tools/headroom/");
    site.visit("");
    site.wait_kept();
    let manifest = site.browser.cdp("Page.getAppManifest", &json!({}));
    assert_eq!(manifest["errors"], json!([]), "{manifest}");
    let data: Value = serde_json::from_str(manifest["data"].as_str().expect("a manifest")).expect("JSON");
    // The browser takes the start address as the name of the app, which differs under each path.
    assert_eq!(data.get("id"), None, "{data}");
    for picture in data["icons"].as_array().expect("icons") {
        let name = picture["src"].as_str().expect("a name");
        let found = site.browser.script_async(
            "const [name, done] = arguments; const i = new Image(); i.onload = () => done(`${i.naturalWidth}x${i.naturalHeight}`); i.onerror = () => done(null); i.src = name",
            &json!([name]),
        );
        assert!(
            found == picture["sizes"] || picture["sizes"] == "any" && !found.is_null(),
            "{name}: {found}"
        );
    }
    for view in data["shortcuts"].as_array().expect("shortcuts") {
        let address = view["url"].as_str().expect("an address").trim_start_matches("./");
        let tab = site.browser.script_with(
            "return document.querySelector(`[data-view-of][href='${arguments[0]}']`)?.textContent",
            &json!([address]),
        );
        assert_eq!(tab, view["name"]);
    }
    let errors = site.browser.cdp("Page.getInstallabilityErrors", &json!({}));
    let left: Vec<&Value> = errors["installabilityErrors"].as_array().expect("a list").iter().collect();
    // Automated browsers have no window to install from.
    assert!(left.iter().all(|e| e["errorId"] == "in-incognito"), "{errors}");
}

#[test]
fn readers_of_links_find_a_preview() {
    let site = Site::open();
    let meta = |name: &str| {
        site.browser.text_of(&format!(
            "document.querySelector('meta[property=\"{name}\"], meta[name=\"{name}\"]').content"
        ))
    };
    assert_eq!(meta("twitter:card"), "summary_large_image");
    assert!(meta("og:title").starts_with("Headroom"));
    assert!(meta("description").contains("Envoy"));
    let image = meta("og:image");
    let pixels = site.browser.script_async(
        "const [name, done] = arguments; const i = new Image(); i.onload = () => done([i.naturalWidth, i.naturalHeight]); i.onerror = () => done(null); i.src = name",
        &json!([image]),
    );
    assert_eq!(pixels, json!([1200, 630]), "{image}");
}

/// What the last step of the build makes of a small page.
struct Stamped(PathBuf);

impl Stamped {
    fn run(name: &str, site: Option<&str>) -> Result<Self, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("learn")).expect("target can be written");
        let page = "<!doctype html><meta content=social.png property=og:image><title>x</title><script src=./boot.js data-wasm=x></script>";
        std::fs::write(folder.join("index.html"), page).expect("target can be written");
        std::fs::write(folder.join("learn/index.html"), "<!doctype html><title>y</title>")
            .expect("target can be written");
        for file in ["sw.js", "robots.txt", "boot.js", "social.png"] {
            std::fs::copy(root.join("public").join(file), folder.join(file)).expect("public has it");
        }
        let mut command = Command::new("node");
        command.arg(root.join(".ci/stamp")).arg(&folder).env_remove("HEADROOM_SITE");
        if let Some(site) = site {
            command.env("HEADROOM_SITE", site);
        }
        let output = command.output().expect("node is there: run this through .ci/with");
        if output.status.success() {
            Ok(Self(folder))
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_default()
    }
}

impl Drop for Stamped {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn full_addresses_are_written_for_a_site_and_only_then() {
    let plain = Stamped::run("stamp-plain", None).expect("it runs");
    assert_eq!(
        (plain.text("sitemap.xml"), plain.text("robots.txt").contains("Sitemap")),
        (String::new(), false)
    );
    assert!(plain.text("index.html").contains("content=social.png"));
    let full = Stamped::run("stamp-site", Some("https://example.org/tools/headroom/")).expect("it runs");
    let map = full.text("sitemap.xml");
    for address in ["https://example.org/tools/headroom/", "https://example.org/tools/headroom/learn/"] {
        assert!(map.contains(&format!("<loc>{address}</loc>")), "{map}");
    }
    assert!(full.text("robots.txt").ends_with("\nSitemap: https://example.org/tools/headroom/sitemap.xml\n"));
    let page = full.text("index.html");
    assert!(page.contains("content=https://example.org/tools/headroom/social.png"), "{page}");
    assert!(page.contains("rel=\"canonical\" href=\"https://example.org/tools/headroom/\""), "{page}");
    let build = |stamped: &Stamped| stamped.text("sw.js").split('"').nth(3).unwrap_or_default().to_owned();
    assert_ne!(build(&plain), build(&full), "other files are another build");
    assert!(page.contains(&format!("data-build=\"{}\"", build(&full))), "{page}");
    let again = Stamped::run("stamp-again", None).expect("it runs");
    assert_eq!(build(&plain), build(&again), "the same files are the same build");
    for bad in
        ["example.org", "https://example.org/headroom", "ftp://example.org/", "https://example.org/?a=1"]
    {
        let error = Stamped::run("stamp-bad", Some(bad)).err().unwrap_or_default();
        assert!(error.contains("HEADROOM_SITE must"), "{bad}: {error}");
    }
}

#[test]
fn the_manual_has_the_policy_that_is_sent() {
    let manual = include_str!("../../docs/hosting.md");
    let headers = include_str!("../../public/_headers");
    let policy = headers.lines().find_map(|line| line.trim().strip_prefix("Content-Security-Policy: "));
    let policy = policy.expect("_headers has one");
    // For nginx, Apache and Caddy.
    assert_eq!(manual.matches(policy).count(), 3, "docs/hosting.md has another policy than public/_headers");
}
