//! Access logs in text: Envoy's own format, and Istio's with details and reasons behind the flags.
//!
//! What stands before the request in quotes (a time, the prefix of a log collector) does not matter.

use super::access_log::{Entry, flags, given, status};
use super::gather::millis;
use super::time;
use crate::engine::units::Millis;

/// Longest line that is looked at: a document on one line is no log.
const MAX_LINE: usize = 64 * 1024;

/// Whether a line is one of a log.
pub fn is_line(line: &str) -> bool {
    line.len() <= MAX_LINE && line.contains('"') && entry(line).is_some()
}

/// What a line says.
pub fn entry(line: &str) -> Option<Entry> {
    let parts = parts(line);
    let at = parts.iter().position(Part::is_request)?;
    let mut rest = parts.get(at + 1..)?.iter();
    let tcp = parts[at].text == "- - -";
    let status = status(&rest.next()?.text)?;
    let flags = flags(&rest.next()?.text)?;
    // The time stands before the request, in whatever place a collector leaves it.
    let start = parts.iter().take(at).rev().find_map(|part| time::since_1970(&part.text));
    let mut out = Entry { status, flags, tcp, start, ..Entry::default() };
    let mut next = rest.next()?;
    // Istio's format has details, termination details and the reason here, Envoy's the bytes.
    if next.text.parse::<u64>().is_err() {
        out.details = given(&next.text);
        let reason = rest.by_ref().find(|part| part.quoted)?;
        out.reason = given(&reason.text);
        next = rest.next()?;
    }
    next.text.parse::<u64>().ok()?;
    let _sent = rest.next()?;
    out.duration = rest.next()?.text.parse::<f64>().ok().filter(|ms| ms.is_finite()).map(Millis);
    out.service_time = millis(&rest.next()?.text);
    // Client, agent, id and authority.
    let host = rest.nth(4).filter(|part| part.quoted);
    out.host = host.is_some_and(|host| given(&host.text).is_some());
    out.cluster = rest.next().and_then(|part| given(&part.text));
    Some(out)
}

#[derive(Debug)]
struct Part {
    text: String,
    quoted: bool,
}

impl Part {
    /// `GET /path HTTP/1.1`, or `- - -` for a connection that carried no request.
    fn is_request(&self) -> bool {
        let mut words = self.text.split(' ');
        let (method, protocol) = (words.next().unwrap_or_default(), words.next_back().unwrap_or_default());
        self.quoted
            && (protocol.starts_with("HTTP/") || protocol == "-")
            && (method == "-" || !method.is_empty() && method.bytes().all(|b| b.is_ascii_uppercase()))
            && self.text.matches(' ').count() >= 2
    }
}

/// Parts of a line that are read: the formats have about twenty.
const MAX_PARTS: usize = 64;

/// The parts between spaces; those in quotes are whole, with their escapes resolved.
fn parts(line: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut chars = line.chars().peekable();
    while parts.len() < MAX_PARTS {
        while chars.next_if(|c| c.is_whitespace()).is_some() {}
        let Some(first) = chars.next() else { break };
        let quoted = first == '"';
        let mut text = String::new();
        if !quoted {
            text.push(first);
        }
        while let Some(c) = chars.next_if(|c| quoted || !c.is_whitespace()) {
            match c {
                '"' if quoted => break,
                '\\' if quoted => text.extend(chars.next()),
                _ => text.push(c),
            }
        }
        parts.push(Part { text, quoted });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::entry;

    #[test]
    fn both_formats() {
        let envoy = r#"[2026-03-02T09:14:07Z] "GET /v1?a=3 HTTP/1.1" 503 UF,URX 412 152 61 - "10.9.0.5" "a \"b\" c" "id" "quay.test" "10.44.0.12:8080""#;
        let e = entry(envoy).unwrap();
        assert_eq!((e.status, e.flags.join("+").as_str(), e.host), (503, "UF+URX", true));
        assert_eq!((e.duration.map(|d| d.0), e.cluster), (Some(61.0), None));
        let istio = r#"[t] "GET /api HTTP/1.1" 503 UF upstream_reset{connection_failure} - "immediate connect error: Cannot assign requested address" 0 81 0 - "-" "f" "id" "quay:8080" "-" outbound|8080||quay - 10.96.3.3:8080 10.9.0.9:41022 - default"#;
        let e = entry(istio).unwrap();
        assert_eq!(e.reason.as_deref(), Some("immediate connect error: Cannot assign requested address"));
        assert_eq!((e.cluster.as_deref(), e.host), (Some("outbound|8080||quay"), false));
    }

    #[test]
    fn what_is_no_line() {
        for text in [
            "",
            "this line was cut by log rota",
            "\"GET / HTTP/1.1\"",
            "\"GET / HTTP/1.1\" 503",
            "\"GET / HTTP/1.1\" 503 UO",
            "\"GET / HTTP/1.1\" abc UO 0 0 0 -",
            "\"",
            "\\",
        ] {
            assert_eq!(entry(text), None, "{text}");
        }
    }
}
