//! Serves the built page on 127.0.0.1, as any static host would, and remembers what was asked for.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;

/// A running server; its threads end with the test's process.
pub struct Server {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Serves a folder on a free port.
    pub fn start(folder: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port on 127.0.0.1");
        let address = format!("http://{}/", listener.local_addr().expect("a bound socket has an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (folder, log) = (folder.clone(), Arc::clone(&log));
                thread::spawn(move || _ = answer(stream, &folder, &log));
            }
        });
        Self { address, asked }
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

fn answer(mut stream: TcpStream, folder: &Path, log: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or("/").split(['?', '#']).next().unwrap_or("/").to_owned();
    while reader.read_line(&mut line)? > 2 {}
    if path != "/" || !line.is_empty() {
        log.lock().expect("no thread panics with the lock").push(path.clone());
    }
    let name = if path.ends_with('/') { format!("{path}index.html") } else { path };
    let file = folder.join(name.trim_start_matches('/'));
    let inside = !name.split('/').any(|part| part == "..");
    match std::fs::read(&file) {
        Ok(body) if inside => {
            write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: {}\r\ncontent-length: {}\r\ncache-control: no-store\r\nconnection: close\r\n\r\n",
                content_type(&file),
                body.len()
            )?;
            stream.write_all(&body)
        }
        _ => write!(stream, "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"),
    }
}

fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
