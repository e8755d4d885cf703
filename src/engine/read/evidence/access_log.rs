//! Access logs, summed up: lines with the same answer for the same reason count together.

use super::log_traffic::Gathering;
use super::{LeftOut, Page};
use crate::engine::read::config::{AccessLog, LogGroup};
use crate::engine::units::Millis;
use std::collections::BTreeMap;

/// What one line says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    pub status: u32,
    pub flags: Vec<String>,
    pub details: Option<String>,
    pub reason: Option<String>,
    pub cluster: Option<String>,
    pub host: bool,
    pub tcp: bool,
    pub duration: Option<Millis>,
    /// When it started, since 1970.
    pub start: Option<Millis>,
    /// Time to the head of the answer.
    pub service_time: Option<Millis>,
}

/// Groups of a log that are kept: real logs have a dozen.
const MAX_GROUPS: usize = 1_000;

/// Places of a group that are kept.
const MAX_PLACES: usize = 20;

/// Lines that cannot be read and are named each.
const MAX_NAMED: usize = 5;

/// Characters of details and reasons that are kept.
const MAX_TEXT: usize = 300;

/// Reads a log, a line at a time.
pub fn read(page: Page<'_>, entry: fn(&str) -> Option<Entry>, left_out: &mut Vec<LeftOut>) -> AccessLog {
    let mut log = AccessLog { at: page.start(), ..AccessLog::default() };
    let mut groups: BTreeMap<Key, usize> = BTreeMap::new();
    let mut traffic = Gathering::default();
    let (mut unread, mut last) = (0, None);
    for line in page.lines() {
        log.lines += 1;
        let Some(entry) = entry(line.text) else {
            unread += 1;
            last = Some(page.place(&line));
            if unread <= MAX_NAMED {
                left_out.push(LeftOut::Line(page.place(&line)));
            }
            continue;
        };
        log.parsed += 1;
        traffic.add(&entry, || page.place(&line));
        let duration = entry.duration;
        let known = groups.len();
        if known >= MAX_GROUPS && !groups.contains_key(&key(&entry)) {
            continue;
        }
        let index = *groups.entry(key(&entry)).or_insert(known);
        if index == log.groups.len() {
            log.groups.push(group(entry));
        }
        let Some(group) = log.groups.get_mut(index) else { continue };
        group.count += 1;
        group.shortest = [group.shortest, duration].into_iter().flatten().reduce(Millis::min);
        group.longest = [group.longest, duration].into_iter().flatten().reduce(Millis::max);
        if group.places.len() < MAX_PLACES {
            group.places.push(page.place(&line));
        }
    }
    if let Some(at) = last.filter(|_| unread > MAX_NAMED) {
        left_out.push(LeftOut::MoreLines(at, (unread - MAX_NAMED) as u64));
    }
    log.traffic = traffic.end();
    log
}

type Key = (u32, Vec<String>, Option<String>, Option<String>, Option<String>, bool, bool);

fn key(e: &Entry) -> Key {
    (e.status, e.flags.clone(), e.details.clone(), e.reason.clone(), e.cluster.clone(), e.host, e.tcp)
}

fn group(e: Entry) -> LogGroup {
    LogGroup {
        status: e.status,
        flags: e.flags,
        details: e.details,
        reason: e.reason,
        cluster: e.cluster,
        host: e.host,
        tcp: e.tcp,
        count: 0,
        shortest: None,
        longest: None,
        places: Vec::new(),
    }
}

/// A text that is there: `-` and nothing are not.
pub fn given(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty() && text != "-").then(|| text.chars().take(MAX_TEXT).collect())
}

/// Response flags: `-`, `UF,URX`, or the long names of newer formats.
pub fn flags(text: &str) -> Option<Vec<String>> {
    /// More than Envoy has.
    const MOST: usize = 40;
    if text == "-" || text.is_empty() {
        return Some(Vec::new());
    }
    let all: Vec<&str> = text.split(',').collect();
    let are_flags = all.len() <= MOST && all.iter().all(|flag| is_flag(flag));
    are_flags.then(|| all.into_iter().map(|flag| short(flag).to_owned()).collect())
}

fn is_flag(flag: &str) -> bool {
    let letters = flag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    letters && (2..=40).contains(&flag.len()) && flag.starts_with(|c: char| c.is_ascii_uppercase())
}

/// The short form of a flag that `%RESPONSE_FLAGS_LONG%` writes.
fn short(flag: &str) -> &str {
    const LONG: [(&str, &str); 13] = [
        ("UpstreamOverflow", "UO"),
        ("UpstreamRetryLimitExceeded", "URX"),
        ("UpstreamConnectionFailure", "UF"),
        ("UpstreamConnectionTermination", "UC"),
        ("UpstreamRemoteReset", "UR"),
        ("UpstreamRequestTimeout", "UT"),
        ("UpstreamMaxStreamDurationReached", "UMSDR"),
        ("NoHealthyUpstream", "UH"),
        ("StreamIdleTimeout", "SI"),
        ("DownstreamConnectionTermination", "DC"),
        ("LocalReset", "LR"),
        ("NoRouteFound", "NR"),
        ("NoClusterFound", "NC"),
    ];
    LONG.iter().find(|(long, _)| *long == flag).map_or(flag, |(_, short)| short)
}

/// A status: 0, or three digits.
pub fn status(text: &str) -> Option<u32> {
    text.parse().ok().filter(|status| *status == 0 || (100..=999).contains(status))
}
