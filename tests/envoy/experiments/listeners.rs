//! Listening sockets with a thread for each connection.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};

/// Sockets that accept until this is dropped. Connections end when their client closes them.
pub struct Listeners {
    pub addresses: Vec<SocketAddr>,
    is_over: Arc<AtomicBool>,
    acceptors: Vec<JoinHandle<()>>,
}

impl Listeners {
    /// Starts that many; `serve` gets the number of the socket and a connection to it.
    pub fn start(n: usize, serve: impl Fn(usize, TcpStream) + Send + Sync + 'static) -> Self {
        let serve = Arc::new(serve);
        let mut all =
            Self { addresses: Vec::new(), is_over: Arc::new(AtomicBool::new(false)), acceptors: Vec::new() };
        for at in 0..n {
            let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
            all.addresses.push(listener.local_addr().expect("it has an address"));
            let (serve, is_over) = (Arc::clone(&serve), Arc::clone(&all.is_over));
            all.acceptors.push(thread::spawn(move || accept(&listener, &is_over, at, &serve)));
        }
        all
    }
}

fn accept<F>(listener: &TcpListener, is_over: &AtomicBool, at: usize, serve: &Arc<F>)
where
    F: Fn(usize, TcpStream) + Send + Sync + 'static,
{
    for stream in listener.incoming() {
        if is_over.load(Relaxed) {
            return;
        }
        let Ok(stream) = stream else { continue };
        let serve = Arc::clone(serve);
        thread::spawn(move || serve(at, stream));
    }
}

impl Drop for Listeners {
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
        for address in &self.addresses {
            // Wakes the acceptor, which then ends.
            let _ = TcpStream::connect(address);
        }
        for acceptor in self.acceptors.drain(..) {
            let _ = acceptor.join();
        }
    }
}
