//! Without a network, and from one version to the next.

use crate::driver::variable;
use crate::server::Server;
use crate::site::Site;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// All files of the build are kept, and the page is served from them.
const KEPT: &str = "navigator.serviceWorker.controller?.state === 'activated'";

const NOTE: &str = "document.querySelector('.hr-notice').innerText";

/// A copy of the build that a test may change; it goes with the test.
struct Copy(PathBuf);

impl Copy {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        _ = std::fs::remove_dir_all(&folder);
        copy_all(Path::new(&variable("HEADROOM_DIST")), &folder);
        Self(folder)
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("target can be written");
    }

    /// Deploys the next version in the order of a careless host: a part first, the worker, the page last.
    fn deploy(&self, site: &Site, between: impl FnOnce()) {
        let (worker, page, part) = (self.text("sw.js"), self.text("index.html"), self.text("audit.css"));
        let build = worker.split('"').nth(3).expect("the worker begins with the build").to_owned();
        let new_part = format!("{part}/* next */");
        let new_page = page.replace(&build, "next");
        let new_worker = worker
            .replace(&build, "next")
            .replace(&digest(site, &part), &digest(site, &new_part))
            .replace(&digest(site, &page), &digest(site, &new_page));
        assert!(new_worker.matches("next").count() == 1 && new_page != page, "the build is named in both");
        self.write("audit.css", &new_part);
        self.write("sw.js", &new_worker);
        between();
        self.write("index.html", &new_page);
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

fn copy_all(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("target can be written");
    for entry in std::fs::read_dir(from).expect("the build is a folder") {
        let (path, name) =
            entry.map(|entry| (entry.path(), entry.file_name())).expect("a folder lists its entries");
        if path.is_dir() {
            copy_all(&path, &to.join(name));
        } else {
            std::fs::copy(&path, to.join(name)).expect("target can be written");
        }
    }
}

/// The hash that the worker compares with.
fn digest(site: &Site, text: &str) -> String {
    let digest = site.browser.script_async(
        "const [text, done] = arguments; crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)).then(d => done(btoa(String.fromCharCode(...new Uint8Array(d)))))",
        &json!([text]),
    );
    digest.as_str().expect("a hash").to_owned()
}

impl Site {
    /// Waits until the page could do without the network.
    pub fn wait_kept(&self) {
        self.browser.wait_for(KEPT);
    }

    /// Looks for a new version, as the browser does with every visit; whether one was found to be whole.
    fn look_for_update(&self) -> Value {
        self.browser.script_async(
            "const done = arguments[0]; navigator.serviceWorker.getRegistration().then(async r => {
               try { await r.update(); } catch { return done(false); }
               const worker = r.installing ?? r.waiting;
               if (!worker || worker.state !== 'installing') return done(Boolean(r.waiting));
               worker.addEventListener('statechange', () => done(worker.state === 'installed'));
             })",
            &json!([]),
        )
    }

    fn caches(&self) -> Value {
        self.browser.script_async(
            "const done = arguments[0]; caches.keys().then(async names => done(await Promise.all(names.map(async name => (await (await caches.open(name)).keys()).map(r => new URL(r.url).pathname)))))",
            &json!([]),
        )
    }

    fn build(&self) -> String {
        self.browser.text_of("document.querySelector('script[data-wasm]').dataset.build")
    }
}

/// A button of the note, by its word.
fn press_note(site: &Site, word: &str) {
    site.browser.script_with(
        "[...document.querySelectorAll('.hr-notice button')].find(b => b.textContent === arguments[0]).click()",
        &json!([word]),
    );
}

#[test]
fn everything_works_without_a_network_after_the_first_visit() {
    let site = Site::open();
    site.wait_kept();
    site.server.go_down();
    site.visit("#v=1&name=cart&rps=700&p50=35&p99=110");
    assert_eq!(site.value("rps"), "700");
    site.browser.retype("#rps", "900");
    site.browser.wait_for("document.querySelector('#yaml').innerText.includes('900 req/s')");
    // Views that were never opened with a network.
    site.browser.click("[data-view-of=audit]");
    site.browser.wait_for("document.querySelector('#audit [data-do=\"audit example\"]')");
    site.browser.click("#audit [data-do='audit example']");
    site.browser.wait_for("document.querySelector('#audit .hr-finds li')");
    site.browser.go(&format!("{}?view=simulate", site.server.address()));
    site.wait_ready();
    site.browser.wait_for("document.querySelector('#sim-plot-served')?.firstChild");
    site.browser.go(&format!("{}rules.html#HR301", site.server.address()));
    assert_eq!(site.browser.text_of("document.querySelector(':target').id"), "HR301");
    // The list of keys too.
    site.visit("");
    site.browser.click("#shortcuts");
    site.browser.wait_for("document.querySelector('dialog[open]')");
    assert_eq!(site.server.take_asked().iter().filter(|path| path.contains("missing")).count(), 0);
}

#[test]
fn only_files_of_the_build_are_kept() {
    let site = Site::open();
    site.wait_kept();
    let kept = site.caches();
    let answers = site.browser.script_async(
        "const done = arguments[0]; Promise.all([fetch('missing.css'), fetch('robots.txt?a'), fetch('audit.css', { method: 'POST' }), fetch('rules.html?x=1')]).then(all => done(all.map(r => r.status)))",
        &json!([]),
    );
    assert_eq!(answers, json!([404, 200, 200, 200]), "the test's server answers every method");
    assert_eq!(site.caches(), kept, "what is asked for later is not kept");
    let files = kept[0].as_array().expect("one list of files");
    assert_eq!(kept.as_array().map(Vec::len), Some(1), "one build: {kept}");
    for name in
        ["/index.html", "/headroom-audit_bg.wasm", "/headroom-simulate_bg.wasm", "/rules.html", "/boot.js"]
    {
        assert!(files.iter().any(|file| file == name), "{name} is not kept: {kept}");
    }
    for name in ["/sw.js", "/_headers", "/social.png", "/robots.txt"] {
        assert!(!files.iter().any(|file| file == name), "{name} is kept: {kept}");
    }
}

#[test]
fn a_new_version_waits_until_someone_wants_it() {
    let copy = Copy::new("update");
    let site = Site::on(Server::start(copy.0.clone()));
    site.visit("");
    site.wait_kept();
    let old = site.build();
    copy.deploy(&site, || {
        // The worker is new, the page is still the old one: that is no version.
        assert_eq!(site.look_for_update(), json!(false));
        assert_eq!(site.browser.text_of(NOTE), "");
        site.visit("");
        assert_eq!(site.build(), old, "what was kept is served on");
        site.browser.wait_for("document.querySelector('.hr-notice')");
        assert_eq!(site.caches().as_array().map(Vec::len), Some(1), "nothing of the half is left");
    });
    site.browser.retype("#rps", "777");
    site.browser.wait_for("location.hash.includes('777')");
    assert_eq!(site.look_for_update(), json!(true));
    site.browser.wait_for(&format!("{NOTE}.startsWith('A new version is ready.')"));
    assert_eq!(site.browser.text_of("document.activeElement.id"), "rps", "the focus stays");
    assert_eq!(site.axe(), Vec::<String>::new());
    press_note(&site, "Later");
    site.browser.wait_for(&format!("{NOTE} === ''"));
    // It is offered again with the next visit, and only then.
    site.browser.reload();
    site.wait_ready();
    assert_eq!(site.build(), old);
    site.browser
        .wait_for(&format!("document.querySelector('.hr-notice') && {NOTE}.startsWith('A new version')"));
    // What is not in the address is not thrown away without a word.
    site.browser.retype("#p50", "x");
    press_note(&site, "Reload");
    site.browser.wait_for(&format!("{NOTE}.startsWith('A reload loses')"));
    site.browser.retype("#p50", "30");
    site.browser.wait_for("location.hash.includes('p50=30')");
    press_note(&site, "Reload");
    site.browser.wait_for("document.querySelector('script[data-wasm]').dataset.build === 'next'");
    site.wait_ready();
    assert_eq!((site.value("rps"), site.value("p50")), ("777".to_owned(), "30".to_owned()));
    site.wait_kept();
    assert_eq!(site.caches().as_array().map(Vec::len), Some(1), "the old version is gone");
}

#[test]
fn a_tab_of_the_old_version_mixes_nothing() {
    let copy = Copy::new("tabs");
    let site = Site::on(Server::start(copy.0.clone()));
    site.visit("#v=1&name=cart&rps=700&p50=35&p99=110");
    site.wait_kept();
    let old = site.build();
    copy.deploy(&site, || ());
    assert_eq!(site.look_for_update(), json!(true));
    // Another tab takes the new version.
    site.browser
        .script("navigator.serviceWorker.getRegistration().then(r => r.waiting.postMessage('start'))");
    site.browser.wait_for(&format!("{NOTE}.startsWith('Headroom was updated in another tab')"));
    assert_eq!(site.build(), old, "nothing loads again by itself");
    // Another view is a part of the new version, so the whole page is.
    site.browser.click("[data-view-of=audit]");
    site.browser.wait_for("document.querySelector('script[data-wasm]')?.dataset.build === 'next'");
    site.wait_ready();
    site.browser.wait_for("document.documentElement.dataset.view === 'audit'");
    assert_eq!(site.value("rps"), "700");
}

#[test]
fn an_embedded_page_keeps_nothing() {
    let site = Site::start();
    site.browser.go(&format!("{}?embed", site.server.address()));
    site.browser.wait_for("document.readyState === 'complete'");
    // Long enough for whatever comes when the page has come to rest.
    site.browser.script_async("setTimeout(arguments[0], 2000)", &json!([]));
    let registrations = site.browser.script_async(
        "const done = arguments[0]; navigator.serviceWorker.getRegistrations().then(list => done(list.length))",
        &json!([]),
    );
    assert_eq!(registrations, json!(0));
    let asked = site.server.take_asked();
    assert!(!asked.iter().any(|path| path == "/frame.js" || path == "/sw.js"), "{asked:?}");
}

#[test]
fn a_host_that_serves_something_else_costs_only_the_copy() {
    let copy = Copy::new("changed");
    copy.write("simulate.css", "/* put in by a host */");
    let site = Site::on(Server::start(copy.0.clone()));
    site.visit("");
    site.browser.wait_for("document.querySelector('.hr-notice')");
    let ended = site.browser.script_async(
        "const done = arguments[0]; const look = async () => { const r = await navigator.serviceWorker.getRegistration(); r?.installing ? setTimeout(look, 50) : done(Boolean(r?.active)); }; setTimeout(look, 1000)",
        &json!([]),
    );
    assert_eq!(ended, json!(false));
    site.browser.retype("#rps", "900");
    site.browser.wait_for("document.querySelector('#yaml').innerText.includes('900 req/s')");
    assert_eq!(site.caches(), json!([]));
    assert_eq!(site.browser.log("browser"), Vec::<Value>::new());
}
