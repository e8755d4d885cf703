//! The embed under fire: hostile addresses, hostile messages, blocked storage. Neither side can read or run anything of the other.

use crate::site::Site;
use serde_json::{Value, json};

/// Counts every touch of a storage, in every frame.
const WATCH: &str = r"
window.touched = [];
for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore'])
  Object.defineProperty(window, name, { get() { touched.push(name); throw new DOMException('blocked', 'SecurityError'); } });
Object.defineProperty(Document.prototype, 'cookie', { get() { touched.push('cookie'); return ''; }, set() { touched.push('cookie'); } });
for (const name of ['pushState', 'replaceState']) history[name] = () => touched.push(name);
";

#[test]
fn no_storage_no_cookie_no_history_is_touched() {
    let site = Site::start();
    site.browser.cdp("Page.addScriptToEvaluateOnNewDocument", &json!({"source": WATCH}));
    site.visit_host(
        "<headroom-calculator rps=\"500\" p50=\"35\" panels=\"form,yaml,ladder\"></headroom-calculator>",
    );
    site.browser.enter("iframe");
    site.browser.retype("#rps", "900");
    site.browser.click("#copy-yaml");
    site.browser.script_async("const done = arguments[0]; setTimeout(done, 600)", &json!([]));
    assert_eq!(site.browser.script("return touched"), json!([]), "in the frame");
    site.browser.leave();
    assert_eq!(site.browser.script("return touched"), json!([]), "by the element");
    // The watch does see what happens.
    site.browser.script("try { localStorage.length } catch {}");
    assert_eq!(site.browser.script("return touched"), json!(["localStorage"]));
}

#[test]
fn hostile_addresses_give_a_calculator_and_a_message() {
    let site = Site::start();
    for (address, message) in [
        ("?panels=%3Cscript%3Ealert(1)%3C/script%3E", "There is no panel “<script>alert(1)</script>”"),
        ("?lock=__proto__,constructor", "“__proto__” is not an input"),
        ("?accent=url(javascript:alert(1))", "is not a color"),
        ("?accent=2046b0;background:red", "is not a color"),
        ("?theme=dark%22onload=%22alert(1)", "is not light, dark or auto"),
        ("?hide=%FF%FE", "not readable text"),
        ("?onload=alert(1)&embed", "“onload” is not a setting of the embed"),
        ("#v=1&rps=abc&p50=35", "This link gives no scenario. Shown is an example."),
        ("#v=9", "This link gives no scenario. Shown is an example."),
        ("#%00%ff", "This link gives no scenario. Shown is an example."),
        ("#<img src=x onerror=alert(1)>", "This link gives no scenario. Shown is an example."),
    ] {
        site.visit_embed(address);
        assert!(site.text("#s-say").starts_with("Allow each proxy"), "{address}: never blank");
        let said = site.text("#s-attention");
        assert!(said.contains(message), "{address}: {said}");
        assert_eq!(
            site.browser.text_of(
                "document.querySelectorAll('#main img, #main script, [onload], [onerror], [style]').length"
            ),
            "0",
            "{address}"
        );
    }
    let long = format!("?panels={}", "x,".repeat(3000));
    site.visit_embed(&long);
    assert!(site.text("#s-attention").contains("None of them was read"));
    // A name is a text, wherever it stands.
    site.visit_embed("?panels=form,yaml#v=1&rps=500&p50=35&name=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E");
    assert_eq!(site.browser.text_of("document.querySelectorAll('#main img').length"), "0");
    assert!(site.text("#s-title").contains("<img src=x"));
}

/// Sends a message into the frame as its host, and gives it time to do harm.
fn send(site: &Site, message: &str) {
    site.browser.script(&format!(
        "heard.length = 0; document.querySelector('iframe').contentWindow.postMessage({message}, '*')"
    ));
    site.browser.script_async("const done = arguments[0]; setTimeout(done, 120)", &json!([]));
}

#[test]
fn hostile_messages_do_nothing() {
    let site = Site::start();
    site.visit_host("<headroom-calculator rps=\"500\" p50=\"35\"></headroom-calculator>");
    site.browser.enter("iframe");
    let before = site.browser.text_of("document.getElementById('embed').innerHTML");
    site.browser.leave();
    for message in [
        "null",
        "'headroom:set'",
        "42",
        "[]",
        "{ type: 'headroom:set' }",
        "{ type: 'headroom:set', scenario: 'rps=1' }",
        "{ type: 'headroom:set', scenario: null }",
        "{ type: 'headroom:set', scenario: [] }",
        "{ type: 'headroom:set', scenario: { rps: 500n, latency_ms: { p50: 1 } } }",
        "{ type: 'headroom:set', scenario: { rps: 700, latency_ms: { p50: 35 }, extra: 1 } }",
        "{ type: 'headroom:set', scenario: JSON.parse('{\"__proto__\": {\"rps\": 1}, \"rps\": 700, \"latency_ms\": {\"p50\": 35}}') }",
        "{ type: 'headroom:set', scenario: { rps: '<img src=x onerror=alert(1)>', latency_ms: { p50: 35 } } }",
        "{ type: 'headroom:set', scenario: { name: 'x'.repeat(30000), rps: 700, latency_ms: { p50: 35 } } }",
        "(() => { const s = { rps: 700 }; s.latency_ms = s; return { type: 'headroom:set', scenario: s }; })()",
        "{ type: 'headroom:set', link: 'javascript:alert(1)' }",
        "{ type: 'headroom:set', link: '#v=1&rps=1e999&p50=1' }",
        "{ type: 'headroom:options', query: { toString: 1 } }",
        "{ type: 'headroom:eval', code: 'document.body.remove()' }",
        "JSON.parse('{\"__proto__\": {\"type\": \"headroom:set\", \"link\": \"v=1&rps=1&p50=1\"}}')",
    ] {
        send(&site, message);
        site.browser.enter("iframe");
        assert_eq!(site.browser.text_of("document.getElementById('embed').innerHTML"), before, "{message}");
        assert_eq!(site.browser.text_of("Object.prototype.rps"), "undefined");
        site.browser.leave();
        if message.contains("type: 'headroom:set'") {
            let answered = site.browser.script("return heard.map(m => [m.type, m.problems?.length > 0])");
            assert_eq!(answered, json!([["headroom:problems", true]]), "{message}");
        }
    }
    // What is right is taken, also as an object.
    send(&site, "{ type: 'headroom:set', scenario: { rps: 700, latency_ms: { p50: 35 }, clients: 7 } }");
    site.browser.enter("iframe");
    assert_eq!(site.value("rps"), "700");
    site.browser.leave();
    assert_eq!(site.browser.script("return changes.at(-1).scenario.clients"), json!(7));
    assert_eq!(site.browser.log("browser"), Vec::<Value>::new());
}

#[test]
fn only_the_page_around_is_heard_and_told() {
    let site = Site::start();
    site.visit_host(
        "<headroom-calculator id=\"a\" rps=\"500\" p50=\"35\"></headroom-calculator><headroom-calculator id=\"b\" rps=\"800\" p50=\"35\"></headroom-calculator>",
    );
    // One frame writes to the other, as a frame of somebody else's might.
    site.browser.enter("#b iframe");
    site.browser
        .script("parent.frames[0].postMessage({ type: 'headroom:set', link: 'v=1&rps=1&p50=1' }, '*')");
    site.browser.script_async("const done = arguments[0]; setTimeout(done, 150)", &json!([]));
    site.browser.leave();
    site.browser.enter("#a iframe");
    assert_eq!(site.value("rps"), "500");
    // Neither reads the other.
    let read = site
        .browser
        .script("try { return String(parent.document.title) } catch (error) { return error.name }");
    assert_eq!(read, json!("SecurityError"));
    let away = site
        .browser
        .script("try { parent.location = 'about:blank'; return 'gone' } catch (error) { return error.name }");
    assert_eq!(away, json!("SecurityError"), "the sandbox keeps it from leading the host away");
    site.browser.leave();
    assert_eq!(site.browser.script("return document.querySelector('iframe').contentDocument"), Value::Null);
    // Somebody else's message is no change and no height.
    let height = site.browser.text_of("document.querySelector('iframe').style.height");
    site.browser.script("changes.length = 0; for (const type of ['height', 'change']) postMessage({ type: `headroom:${type}`, height: 9, scenario: {}, analysis: {} }, '*')");
    site.browser.script_async("const done = arguments[0]; setTimeout(done, 150)", &json!([]));
    assert_eq!(site.browser.text_of("document.querySelector('iframe').style.height"), height);
    assert_eq!(site.browser.script("return changes"), json!([]));
    // A host that does not ask hears heights and that the frame is ready, nothing of what is typed.
    site.visit_host("<iframe src=\"APP/embed.html#v=1&amp;rps=500&amp;p50=35\" title=\"Headroom\"></iframe>");
    site.browser.enter("iframe");
    site.browser.retype("#rps", "900");
    site.browser.leave();
    site.browser.script_async("const done = arguments[0]; setTimeout(done, 150)", &json!([]));
    let kinds = site.browser.script("return [...new Set(heard.map(m => m.type))].sort()");
    assert_eq!(kinds, json!(["headroom:height", "headroom:ready"]));
}
