//! The text of `/stats/prometheus`: `envoy_cluster_<stat>{labels} value`.

use super::gather::{Gathered, count, millis};
use super::{LeftOut, Page, names};
use crate::engine::read::config::{AdminPage, Bucket, Report};
use crate::engine::units::Millis;

/// Labels that a scrape adds, one value for each proxy.
const OF_PROXY: [&str; 2] = ["instance", "pod"];

/// Reads the page.
pub fn read(page: Page<'_>, left_out: &mut Vec<LeftOut>) -> Report {
    let mut gathered = Gathered::new(AdminPage::Prometheus, page);
    for line in page.lines().filter(|line| !line.text.starts_with('#')) {
        let Some(sample) = Sample::of(line.text) else { continue };
        let at = page.place(&line);
        for label in OF_PROXY {
            if let Some(value) = sample.label(label) {
                gathered.proxy(label, &value, &at);
            }
        }
        if let Some(of_server) = sample.metric.strip_prefix("envoy_server_") {
            if let Some(value) = count(sample.value) {
                gathered.server(of_server, value, &at);
            }
            continue;
        }
        let Some(cluster) = sample.label("envoy_cluster_name").or_else(|| sample.label("cluster_name"))
        else {
            continue;
        };
        if let Some(value) = sample.counter() {
            if let Some(count) = count(sample.value) {
                gathered.stat(&cluster, &value, count, &at);
            }
            continue;
        }
        let parts = ["_bucket", "_sum", "_count"];
        let part = parts.iter().find_map(|part| sample.metric.strip_suffix(part).map(|name| (name, *part)));
        let Some((name, part)) = part.and_then(|(name, part)| Some((names::of_metric(name)?, part))) else {
            continue;
        };
        let Some(histogram) = gathered.histogram(&cluster, name, &at) else { continue };
        let (sum, count_before) = (histogram.sum, histogram.count);
        match part {
            "_sum" => histogram.sum = millis(sample.value),
            "_count" => histogram.count = count(sample.value),
            _ => histogram.buckets.extend(sample.bucket()),
        }
        let is_other = sum.is_some() && sum != histogram.sum
            || count_before.is_some() && count_before != histogram.count;
        if is_other {
            let first = histogram.at.clone();
            gathered.differs(sample.metric, &first, &at);
        }
    }
    gathered.end(left_out)
}

/// A line, taken apart.
struct Sample<'t> {
    metric: &'t str,
    labels: &'t str,
    value: &'t str,
}

impl<'t> Sample<'t> {
    fn of(line: &'t str) -> Option<Self> {
        let (name, value) = match line.rsplit_once('}') {
            Some((name, value)) => (name, value),
            None => line.split_once([' ', '\t'])?,
        };
        let (metric, labels) = name.split_once('{').unwrap_or((name, ""));
        // A time may follow the value.
        Some(Self { metric: metric.trim(), labels, value: value.split_whitespace().next()? })
    }

    /// The value of a label, escapes resolved.
    fn label(&self, wanted: &str) -> Option<String> {
        let mut rest = self.labels;
        loop {
            let (name, behind) = rest.split_once("=\"")?;
            let (value, length) = quoted(behind)?;
            if name.trim_start_matches([',', ' ']) == wanted {
                return Some(value);
            }
            rest = behind.get(length..)?;
        }
    }

    /// The name of a counter or a gauge that is kept.
    fn counter(&self) -> Option<String> {
        match self.metric {
            "envoy_cluster_upstream_rq_xx" | "envoy_cluster_upstream_rq" => self.answers(),
            metric => names::of_metric(metric).map(str::to_owned),
        }
        .filter(|name| names::is_kept(name) && name != names::LATENCY && name != names::CONNECT)
    }

    /// Answers by class or by status. Envoy takes `5` out of `upstream_rq_5xx` and leaves
    /// `upstream_rq_xx`, Istio's tags take `5xx` and leave `upstream_rq`.
    fn answers(&self) -> Option<String> {
        let either = |a, b| self.label(a).or_else(|| self.label(b));
        if let Some(class) = either("envoy_response_code_class", "response_code_class") {
            return Some(format!("upstream_rq_{}xx", class.trim_end_matches("xx")));
        }
        let status = either("envoy_response_code", "response_code")?;
        Some(format!("upstream_rq_{status}"))
    }

    fn bucket(&self) -> Option<Bucket> {
        let le = self.label("le")?;
        let le = if le == "+Inf" { None } else { Some(millis(&le)?) };
        Some(Bucket { le: le.map(|le: Millis| le), count: count(self.value)? })
    }
}

/// The text up to the closing quote, and the bytes with that quote.
fn quoted(text: &str) -> Option<(String, usize)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, at + 1)),
            '\\' => value.push(match chars.next()?.1 {
                'n' => '\n',
                other => other,
            }),
            _ => value.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Sample;

    #[test]
    fn labels_in_any_order_with_escapes_and_braces() {
        let line = r#"envoy_cluster_upstream_rq_xx{a="x\"}, b=",envoy_response_code_class="5",envoy_cluster_name="s{1}"} 7 1700"#;
        let sample = Sample::of(line).unwrap();
        assert_eq!(sample.label("envoy_cluster_name").as_deref(), Some("s{1}"));
        assert_eq!(sample.counter().as_deref(), Some("upstream_rq_5xx"));
        assert_eq!((sample.value, sample.label("a").as_deref()), ("7", Some("x\"}, b=")));
        assert!(Sample::of("envoy_x").is_none());
    }
}
