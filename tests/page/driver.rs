//! A small client of chromedriver: as much of its protocol as these tests use.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Longest wait for anything on the page.
const PATIENCE: Duration = Duration::from_mins(1);

/// A browser with a profile of its own, driven by a chromedriver of its own; both end with it.
pub struct Browser {
    driver: Child,
    session: String,
    agent: ureq::Agent,
}

/// An environment variable that the set-up provides.
pub fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set: run this through .ci/with"))
}

impl Browser {
    /// Starts a browser with a window of that width.
    pub fn start(width: u32, height: u32) -> Self {
        let (driver, port) = start_driver();
        let config = ureq::Agent::config_builder().http_status_as_error(false).build();
        let mut browser =
            Self { driver, session: format!("http://127.0.0.1:{port}/session"), agent: config.into() };
        let answer = browser.post("", &json!({"capabilities": {"alwaysMatch": capabilities(width, height)}}));
        let id = answer["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {answer}")).to_owned();
        browser.session = format!("{}/{id}", browser.session);
        browser
    }

    /// Opens an address.
    pub fn go(&self, address: &str) {
        self.post("/url", &json!({"url": address}));
    }

    /// The address shown.
    pub fn address(&self) -> String {
        self.get("/url").as_str().unwrap_or_default().to_owned()
    }

    /// One step back in the history.
    pub fn back(&self) {
        self.post("/back", &json!({}));
    }

    /// One step forward in the history.
    pub fn forward(&self) {
        self.post("/forward", &json!({}));
    }

    /// Loads the page again.
    pub fn reload(&self) {
        self.post("/refresh", &json!({}));
    }

    /// Runs a script in the page; what it returns comes back.
    pub fn script(&self, body: &str) -> Value {
        self.script_with(body, &json!([]))
    }

    /// Runs a script with arguments.
    pub fn script_with(&self, body: &str, args: &Value) -> Value {
        self.post("/execute/sync", &json!({"script": body, "args": args}))
    }

    /// Runs a script that ends by calling its last argument.
    pub fn script_async(&self, body: &str, args: &Value) -> Value {
        self.post("/execute/async", &json!({"script": body, "args": args}))
    }

    /// What a script says, as text.
    pub fn text_of(&self, expression: &str) -> String {
        self.script(&format!("return String({expression})")).as_str().unwrap_or_default().to_owned()
    }

    /// A command of Chromium's own protocol.
    pub fn cdp(&self, command: &str, params: &Value) -> Value {
        self.post("/goog/cdp/execute", &json!({"cmd": command, "params": params}))
    }

    /// The entries of a log since the last call: `browser` or `performance`.
    pub fn log(&self, kind: &str) -> Vec<Value> {
        self.post("/se/log", &json!({"type": kind})).as_array().cloned().unwrap_or_default()
    }

    /// Clicks the element of a selector, as a person would.
    pub fn click(&self, selector: &str) {
        // Away from what sticks to the edges of the screen.
        self.script_with(
            "document.querySelector(arguments[0])?.scrollIntoView({ block: 'center' })",
            &json!([selector]),
        );
        let element = self.element(selector);
        self.post(&format!("/element/{element}/click"), &json!({}));
    }

    /// Types into the element of a selector, as a person would.
    pub fn type_into(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.post(&format!("/element/{element}/value"), &json!({"text": text}));
    }

    /// Replaces the text of an input, as a person would: select all, then type.
    pub fn retype(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.post(&format!("/element/{element}/value"), &json!({"text": format!("\u{e009}a\u{e000}{text}")}));
    }

    /// Presses keys wherever the focus is.
    pub fn press(&self, keys: &str) {
        let strokes: Vec<Value> = keys
            .chars()
            .flat_map(|key| {
                [
                    json!({"type": "keyDown", "value": key.to_string()}),
                    json!({"type": "keyUp", "value": key.to_string()}),
                ]
            })
            .collect();
        self.post("/actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]}));
    }

    /// Waits until an expression of the page is true.
    pub fn wait_for(&self, expression: &str) {
        let start = Instant::now();
        while self.script(&format!("return Boolean({expression})")) != Value::Bool(true) {
            assert!(start.elapsed() < PATIENCE, "never true: {expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// References to the elements of a selector: found without a script of the page.
    pub fn elements(&self, selector: &str) -> Vec<String> {
        let found = self.post("/elements", &json!({"using": "css selector", "value": selector}));
        found.as_array().map(|list| list.iter().map(Value::to_string).collect()).unwrap_or_default()
    }

    /// Goes into the frame of a selector: scripts run there from now on.
    pub fn enter(&self, selector: &str) {
        let id = self.element(selector);
        self.post("/frame", &json!({"id": {"element-6066-11e4-a52e-4f735466cecf": id}}));
    }

    /// Goes back to the page around all frames.
    pub fn leave(&self) {
        self.post("/frame", &json!({"id": null}));
    }

    fn element(&self, selector: &str) -> String {
        let found = self.post("/element", &json!({"using": "css selector", "value": selector}));
        let reference = found.as_object().and_then(|object| object.values().next()).and_then(Value::as_str);
        reference.unwrap_or_else(|| panic!("no element {selector}: {found}")).to_owned()
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let response = self.agent.post(format!("{}{path}", self.session)).send_json(body);
        value_of(path, response)
    }

    fn get(&self, path: &str) -> Value {
        value_of(path, self.agent.get(format!("{}{path}", self.session)).call())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        _ = self.agent.delete(&self.session).call();
        _ = self.driver.kill();
        _ = self.driver.wait();
    }
}

fn value_of(path: &str, response: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Value {
    let mut response =
        response.unwrap_or_else(|error| panic!("{path}: chromedriver does not answer: {error}"));
    // The log of a whole page load is longer than ureq's default limit.
    let body: Value =
        response.body_mut().with_config().limit(1 << 28).read_json().expect("chromedriver answers in JSON");
    let value = body["value"].clone();
    if let Some(error) = value["error"].as_str() {
        panic!("{path}: {error}: {}", value["message"].as_str().unwrap_or_default());
    }
    value
}

/// How often chromedriver is started before that counts as a failure.
const STARTS: usize = 5;

/// A chromedriver and its port.
///
/// With `--port=0` it takes a free port of IPv4 and then the same one of IPv6. Where another program
/// has that one it ends by itself, which is chance, so it is started again.
fn start_driver() -> (Child, u16) {
    let program = variable("HEADROOM_CHROMEDRIVER");
    let mut said = Vec::new();
    for _ in 0..STARTS {
        let mut driver = Command::new(&program)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("HEADROOM_CHROMEDRIVER, {program}: {error}"));
        match port_of(&mut driver) {
            Ok(port) => return (driver, port),
            Err(why) => said.push(why),
        }
        // It has ended, or is of no use.
        _ = driver.kill();
        let status = driver.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        said.push(status);
    }
    panic!("chromedriver was started {STARTS} times and never said its port:\n{}", said.join("\n"));
}

/// The port that chromedriver says, or all it has said instead.
fn port_of(driver: &mut Child) -> Result<u16, String> {
    let (send, lines) = mpsc::channel();
    let streams: [Option<Box<dyn Read + Send>>; 2] = [
        driver.stdout.take().map(|stream| Box::new(stream) as _),
        driver.stderr.take().map(|stream| Box::new(stream) as _),
    ];
    for stream in streams.into_iter().flatten() {
        let send = send.clone();
        // Read to the end, whoever listens: chromedriver may not block on a full pipe.
        std::thread::spawn(move || {
            BufReader::new(stream).lines().map_while(Result::ok).for_each(|line| _ = send.send(line));
        });
    }
    drop(send);
    let mut said = Vec::new();
    loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                if let Some(port) = started_on(&line) {
                    return Ok(port);
                }
                said.push(line);
            }
            Err(RecvTimeoutError::Disconnected) => return Err(said.join("\n")),
            Err(RecvTimeoutError::Timeout) => {
                said.push(format!("silent for {PATIENCE:?}"));
                return Err(said.join("\n"));
            }
        }
    }
}

/// The port in `ChromeDriver was started successfully on port 37987.`
fn started_on(line: &str) -> Option<u16> {
    line.strip_suffix('.')?.rsplit_once("started successfully on port ")?.1.parse().ok()
}

fn capabilities(width: u32, height: u32) -> Value {
    let size = format!("--window-size={width},{height}");
    json!({
        "goog:chromeOptions": {
            "binary": variable("HEADROOM_CHROMIUM"),
            "args": [
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--hide-scrollbars", "--force-device-scale-factor=1", size,
            ],
        },
        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
    })
}
