//! Hosts over HTTP/1.1 that sleep for the time in service of each attempt, then answer.
//!
//! What an attempt gets depends on the seed, the number of its request and its own number alone, so
//! that runs of a seed differ by the machine's timing and by nothing else.

use super::case::{Failing, Service};
use super::listeners::Listeners;
use crate::scenarios::Random;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// What the hosts do.
#[derive(Clone, Copy, Debug)]
pub struct Conduct {
    pub seed: u64,
    pub service: Service,
    pub failing: Failing,
}

/// Running hosts.
pub struct Hosts {
    listeners: Listeners,
    seen: Arc<Seen>,
}

/// What the hosts saw.
#[derive(Default)]
struct Seen {
    attempts: AtomicU64,
    service_micros: AtomicU64,
}

/// What a random number is for.
#[derive(Clone, Copy)]
enum Purpose {
    Service = 1,
    Attempt,
    Request,
}

impl Conduct {
    /// Uniform in (0, 1).
    fn draw(&self, purpose: Purpose, request: u64, attempt: u64) -> f64 {
        let place = ((purpose as u64) << 56) | (attempt << 48) | request;
        Random::new(self.seed.wrapping_mul(0xd134_2543_de82_ef95) ^ place.wrapping_mul(0xaf25_1af3_b0f0_25b5))
            .unit()
    }

    fn service(&self, request: u64, attempt: u64) -> Duration {
        let ms = match self.service {
            Service::Constant(ms) => ms,
            Service::Exponential(mean) => -self.draw(Purpose::Service, request, attempt).ln() * mean,
        };
        Duration::from_secs_f64(ms / 1000.0)
    }

    fn fails(&self, host: usize, request: u64, attempt: u64) -> bool {
        match self.failing {
            Failing::Nothing => false,
            Failing::Attempts(share) => self.draw(Purpose::Attempt, request, attempt) < share,
            Failing::Requests(share) => self.draw(Purpose::Request, request, 0) < share,
            Failing::FirstHost => host == 0,
        }
    }
}

impl Hosts {
    /// Starts that many.
    pub fn start(n_hosts: u32, conduct: Conduct) -> Self {
        let seen = Arc::new(Seen::default());
        let by_host = Arc::clone(&seen);
        let listeners = Listeners::start(n_hosts as usize, move |host, stream| {
            // The proxy closes connections whenever it likes.
            let _ = serve(stream, host, conduct, &by_host);
        });
        Self { listeners, seen }
    }

    /// Where they are.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.listeners.addresses
    }

    /// Attempts that arrived.
    pub fn attempts(&self) -> u64 {
        self.seen.attempts.load(Relaxed)
    }

    /// Mean time in milliseconds from the head of a request to its answer.
    pub fn mean_service_ms(&self) -> f64 {
        self.seen.service_micros.load(Relaxed) as f64 / 1000.0 / self.attempts().max(1) as f64
    }
}

fn serve(stream: TcpStream, host: usize, conduct: Conduct, seen: &Seen) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    while let Some((request, attempt)) = head(&mut stream)? {
        let start = Instant::now();
        seen.attempts.fetch_add(1, Relaxed);
        thread::sleep(conduct.service(request, attempt));
        let took = u64::try_from(start.elapsed().as_micros()).expect("not for ages");
        seen.service_micros.fetch_add(took, Relaxed);
        let status = if conduct.fails(host, request, attempt) { "503 No" } else { "200 OK" };
        write!(stream.get_mut(), "HTTP/1.1 {status}\r\ncontent-length: 2\r\n\r\nok")?;
    }
    Ok(())
}

/// Number of the request, number of the attempt; `None` at the end of the connection.
fn head(stream: &mut BufReader<TcpStream>) -> std::io::Result<Option<(u64, u64)>> {
    let (mut request, mut attempt) = (None, None);
    let mut line = String::new();
    loop {
        line.clear();
        if stream.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            if line.trim_end().is_empty() {
                let numbers = request.zip(attempt);
                return numbers.ok_or_else(|| std::io::ErrorKind::InvalidData.into()).map(Some);
            }
            continue;
        };
        match name {
            crate::load::NUMBER => request = value.parse().ok(),
            "x-envoy-attempt-count" => attempt = value.parse().ok(),
            _ => {}
        }
    }
}
