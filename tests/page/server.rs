//! Serves the built page on 127.0.0.1, as any static host would, and remembers what was asked for.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// A running server; its threads end with the test's process.
pub struct Server {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
    is_down: Arc<AtomicBool>,
}

/// How a host serves a folder.
struct Host {
    folder: PathBuf,
    base: String,
    /// Patterns of paths, each with lines of headers.
    headers: Vec<(String, Vec<String>)>,
}

impl Server {
    /// Serves a folder on a free port.
    pub fn start(folder: PathBuf) -> Self {
        Self::host(Host { folder, base: "/".to_owned(), headers: Vec::new() })
    }

    /// Serves a folder under a path, with the headers that its `_headers` asks for.
    pub fn start_under(folder: PathBuf, base: &str) -> Self {
        let headers = std::fs::read_to_string(folder.join("_headers")).expect("the build has the file");
        Self::host(Host { headers: rules(&headers), folder, base: base.to_owned() })
    }

    fn host(host: Host) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port on 127.0.0.1");
        let local = listener.local_addr().expect("a bound socket has an address");
        let address = format!("http://{local}{}", host.base);
        let (asked, is_down) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (log, gone, host) = (Arc::clone(&asked), Arc::clone(&is_down), Arc::new(host));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // Without a network, a connection comes to nothing.
                if gone.load(Ordering::SeqCst) {
                    continue;
                }
                let (host, log) = (Arc::clone(&host), Arc::clone(&log));
                thread::spawn(move || _ = answer(stream, &host, &log));
            }
        });
        Self { address, asked, is_down }
    }

    /// From now on nothing is answered.
    pub fn go_down(&self) {
        self.is_down.store(true, Ordering::SeqCst);
    }

    /// Where the page is.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The paths asked for since the last call.
    pub fn take_asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().expect("no thread panics with the lock"))
    }
}

fn answer(mut stream: TcpStream, host: &Host, log: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or("/").split(['?', '#']).next().unwrap_or("/").to_owned();
    while reader.read_line(&mut line)? > 2 {}
    if path != "/" || !line.is_empty() {
        log.lock().expect("no thread panics with the lock").push(path.clone());
    }
    let name = if path.ends_with('/') { format!("{path}index.html") } else { path };
    let within = name.strip_prefix(&host.base);
    let file = host.folder.join(within.unwrap_or_default());
    let inside = within.is_some() && !name.split('/').any(|part| part == "..");
    let headers = host.headers_of(&path_of(within.unwrap_or_default()));
    match std::fs::read(&file) {
        Ok(body) if inside => {
            // A page of another origin loads this module with CORS.
            let is_bare = host.headers.is_empty() && name.ends_with("/embed.js");
            let shared = if is_bare { "access-control-allow-origin: *\r\n" } else { "" };
            write!(
                stream,
                "HTTP/1.1 200 OK\r\n{shared}content-type: {}\r\ncontent-length: {}\r\n{headers}connection: close\r\n\r\n",
                content_type(&file),
                body.len()
            )?;
            stream.write_all(&body)
        }
        _ => write!(stream, "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"),
    }
}

impl Host {
    /// The lines of headers for a path of the folder.
    fn headers_of(&self, path: &str) -> String {
        if self.headers.is_empty() {
            return "cache-control: no-store\r\n".to_owned();
        }
        let fits = |pattern: &str| match pattern.strip_suffix('*') {
            Some(start) => path.starts_with(start),
            None => path == pattern,
        };
        let lines = self.headers.iter().filter(|(pattern, _)| fits(pattern)).flat_map(|(_, lines)| lines);
        lines.fold(String::new(), |all, line| all + line + "\r\n")
    }
}

/// The path that a host sees for a file: a folder's page is asked for by the folder.
fn path_of(file: &str) -> String {
    let file = file.strip_suffix("index.html").unwrap_or(file);
    format!("/{file}")
}

/// The rules of a `_headers` file.
fn rules(text: &str) -> Vec<(String, Vec<String>)> {
    let mut rules: Vec<(String, Vec<String>)> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        if line.starts_with('/') {
            rules.push((line.trim().to_owned(), Vec::new()));
        } else if let Some((_, lines)) = rules.last_mut() {
            lines.push(line.trim().to_owned());
        }
    }
    rules
}

fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
