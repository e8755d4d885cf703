//! Open-loop load over HTTP/1.1 with keep-alive: requests start when they are due, whatever became
//! of those before them.

use crate::scenarios::Random;
use crate::upstream::SERVICE_TIME;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The header with the number of a request, counted from 0.
pub const NUMBER: &str = "x-number";

/// A request to be sent.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// When, from the start.
    pub at: Duration,
    /// How long the upstream shall take.
    pub service: Duration,
}

/// What became of a request.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// Status of the answer.
    pub status: u16,
    /// Whether the proxy says that a limit of its own refused it.
    pub is_overload: bool,
    /// How much later than due it was sent.
    pub late: Duration,
}

/// Poisson arrivals at `rate` per second with log-normal service times of that median and 99th
/// percentile, to the whole millisecond.
pub fn poisson(seed: u64, rate: f64, (p50_ms, p99_ms): (f64, f64), duration: Duration) -> Vec<Arrival> {
    /// Standard normal quantile of 0.99.
    const Z_99: f64 = 2.326_347_874;
    let mut random = Random::new(seed);
    let sigma = (p99_ms / p50_ms).ln() / Z_99;
    let mut at = 0.0;
    let mut arrivals = Vec::new();
    loop {
        at -= random.unit().ln() / rate;
        if at > duration.as_secs_f64() {
            return arrivals;
        }
        // Box and Muller.
        let normal = (-2.0 * random.unit().ln()).sqrt() * (std::f64::consts::TAU * random.unit()).cos();
        let service_ms = (p50_ms * (sigma * normal).exp()).round().max(1.0);
        let service = Duration::from_secs_f64(service_ms / 1000.0);
        arrivals.push(Arrival { at: Duration::from_secs_f64(at), service });
    }
}

/// Mean service time of the arrivals.
pub fn mean_service(arrivals: &[Arrival]) -> Duration {
    let total: Duration = arrivals.iter().map(|arrival| arrival.service).sum();
    total / u32::try_from(arrivals.len().max(1)).expect("few arrivals")
}

/// Sends the arrivals to `address` from `n_senders` threads; one outcome an arrival, in order.
pub fn send(address: SocketAddr, arrivals: &[Arrival], n_senders: usize) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    // Everybody has started by then.
    let start = Instant::now() + Duration::from_millis(200);
    let mut outcomes: Vec<(usize, Outcome)> = thread::scope(|scope| {
        let senders: Vec<_> =
            (0..n_senders).map(|_| scope.spawn(|| send_some(address, arrivals, &next, start))).collect();
        senders.into_iter().flat_map(|sender| sender.join().expect("a sender ends")).collect()
    });
    outcomes.sort_by_key(|(index, _)| *index);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

fn send_some(
    address: SocketAddr,
    arrivals: &[Arrival],
    next: &AtomicUsize,
    start: Instant,
) -> Vec<(usize, Outcome)> {
    let mut connection = Connection::open(address);
    let mut outcomes = Vec::new();
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(arrival) = arrivals.get(index) else { return outcomes };
        let due = start + arrival.at;
        thread::sleep(due.saturating_duration_since(Instant::now()));
        let late = Instant::now().saturating_duration_since(due);
        let head = connection.get(index, arrival.service);
        outcomes.push((index, Outcome { status: head.status, is_overload: head.is_overload, late }));
    }
}

/// The head of an answer.
#[derive(Default)]
struct Head {
    status: u16,
    is_overload: bool,
    /// Of the body.
    length: usize,
    /// Whether the connection ends with it.
    closes: bool,
}

struct Connection {
    address: SocketAddr,
    stream: BufReader<TcpStream>,
}

impl Connection {
    fn open(address: SocketAddr) -> Self {
        const PATIENCE: Duration = Duration::from_secs(10);
        let stream = TcpStream::connect(address).expect("the proxy listens");
        stream.set_nodelay(true).expect("a TCP option");
        stream.set_read_timeout(Some(PATIENCE)).expect("a TCP option");
        Self { address, stream: BufReader::new(stream) }
    }

    /// The answer to one request.
    fn get(&mut self, number: usize, service: Duration) -> Head {
        let ms = service.as_millis();
        let request =
            format!("GET / HTTP/1.1\r\nhost: service\r\n{NUMBER}: {number}\r\n{SERVICE_TIME}: {ms}\r\n\r\n");
        self.stream.get_mut().write_all(request.as_bytes()).expect("the proxy reads");
        let head = self.head();
        let mut rest = vec![0; head.length];
        self.stream.read_exact(&mut rest).expect("the body follows");
        if head.closes {
            *self = Self::open(self.address);
        }
        head
    }

    fn head(&mut self) -> Head {
        let mut head = Head::default();
        loop {
            let mut line = String::new();
            let n_read = self.stream.read_line(&mut line).expect("the proxy answers");
            assert!(n_read > 0, "the proxy closed the connection within an answer");
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                return head;
            }
            if let Some(rest) = line.strip_prefix("http/1.1 ") {
                head.status = rest[..3].parse().expect("a status");
            } else if let Some(value) = line.strip_prefix("content-length: ") {
                head.length = value.parse().expect("a length");
            } else if line == "connection: close" {
                head.closes = true;
            } else if line == "x-envoy-overloaded: true" {
                head.is_overload = true;
            }
        }
    }
}
