//! `VirtualService`: timeouts and retries of routes.

use crate::engine::read::Spanned;
use crate::engine::read::config::{
    Effect, PolicyScope, ProblemKind, RetryPolicy, RouteConfig, RouteKind, RouteMatch, RouteTarget,
};
use crate::engine::read::envoy::words;
use crate::engine::read::field::{Bound, Field, Reader};

const HTTP: &str = "name match route redirect directResponse delegate rewrite timeout retries fault mirror mirrors \
    mirrorPercent mirror_percent mirrorPercentage corsPolicy headers";
const RETRIES: &str = "attempts perTryTimeout retryOn retryRemoteLocalities retryIgnorePreviousHosts backoff";

/// Reads the spec.
pub fn read(reader: &mut Reader, spec: &Field<'_>) {
    reader.known(spec, "a VirtualService", "hosts gateways http tls tcp exportTo");
    let gateways = spec.texts("gateways");
    let hosts = spec.texts("hosts");
    for http in spec.list("http") {
        if reader.is_message(&http) {
            route(reader, &http, &gateways, &hosts);
        }
    }
    for (list, name) in [("tcp", "tcp"), ("tls", "tls")] {
        for entry in spec.list(list) {
            let into = RouteConfig {
                origin: reader.origin_at(&entry),
                kind: RouteKind::Tcp,
                matches: Some(entry.spanned(RouteMatch { text: name.to_owned(), ..RouteMatch::default() })),
                targets: targets(reader, &entry),
                gateways: gateways.clone(),
                virtual_host: hosts.first().cloned(),
                ..RouteConfig::default()
            };
            reader.config.routes.push(into);
        }
    }
}

fn route(reader: &mut Reader, http: &Field<'_>, gateways: &[Spanned<String>], hosts: &[Spanned<String>]) {
    reader.known(http, "an HTTP route", HTTP);
    if ["redirect", "directResponse", "delegate"].iter().any(|name| http.has(name)) && !http.has("route") {
        return;
    }
    let mut into = RouteConfig {
        name: http.text("name"),
        origin: reader.origin_at(http),
        virtual_host: hosts.first().cloned(),
        matches: http.get("match").map(|m| m.spanned(matches(&m))),
        targets: targets(reader, http),
        gateways: gateways.to_vec(),
        // Leaving it out is off; a written zero is refused.
        timeout: reader.duration(http, "timeout", Bound::Positive),
        ..RouteConfig::default()
    };
    for mirror in http.list("mirrors").iter().filter_map(|m| m.get("destination")).chain(http.get("mirror")) {
        into.mirrors.extend(mirror.text("host"));
    }
    if let Some(retries) = reader.message(http, "retries") {
        into.retry_policy = Some(policy(reader, &retries));
    }
    reader.config.routes.push(into);
}

fn policy(reader: &mut Reader, retries: &Field<'_>) -> RetryPolicy {
    reader.known(retries, "retries", RETRIES);
    let mut out = RetryPolicy {
        block: retries.place(),
        scope: PolicyScope::Route,
        num_retries: reader.whole(retries, "attempts", Bound::UpTo(2_147_483_647)),
        per_try_timeout: reader.duration(retries, "perTryTimeout", Bound::Positive),
        base_interval: reader.duration(retries, "backoff", Bound::Positive),
        ..RetryPolicy::default()
    };
    if let Some(on) = retries.text("retryOn") {
        // Numbers among the words are status codes, and switch on the word for them.
        let (codes, mut names): (Vec<String>, Vec<String>) =
            words(&on.value).into_iter().partition(|w| w.bytes().all(|b| b.is_ascii_digit()));
        let codes: Vec<u32> = codes.iter().filter_map(|c| c.parse().ok()).collect();
        if !codes.is_empty() {
            if !names.iter().any(|n| n == "retriable-status-codes") {
                names.push("retriable-status-codes".to_owned());
            }
            out.retriable_status_codes = Some(Spanned::new(codes, on.at.clone()));
        }
        out.retry_on = Some(Spanned::new(names, on.at));
    }
    out.retry_ignore_previous_hosts = reader.truth(retries, "retryIgnorePreviousHosts");
    out
}

fn targets(reader: &mut Reader, route: &Field<'_>) -> Vec<RouteTarget> {
    let mut out = Vec::new();
    for entry in route.list("route") {
        for (key, field) in entry.entries() {
            if RETRIES.split_whitespace().any(|f| f == key) || matches!(key, "retries" | "timeout") {
                reader.problem(
                    field.place(),
                    ProblemKind::MisplacedField { belongs: "the route, beside `route`".to_owned() },
                    Effect::Ignored,
                    format!("`{key}` stands one level too deep, in a destination, where it is not read"),
                    format!("move {key} out of the list `route`"),
                );
            } else if !matches!(key, "destination" | "weight" | "headers") {
                reader.known(&entry, "a route destination", "destination weight headers retries timeout");
            }
        }
        let Some(destination) = entry.get("destination") else { continue };
        let weight = reader.whole(&entry, "weight", Bound::Any);
        if let Some(cluster) = destination.text("host") {
            out.push(RouteTarget {
                cluster,
                subset: destination.text("subset"),
                port: destination.get("port").and_then(|p| reader.whole(&p, "number", Bound::UpTo(65_535))),
                weight,
            });
        }
    }
    out
}

fn matches(field: &Field<'_>) -> RouteMatch {
    let mut out = RouteMatch::default();
    let mut words = Vec::new();
    for entry in field.items() {
        if let Some(uri) = entry.get("uri") {
            for kind in ["exact", "prefix", "regex"] {
                words.extend(uri.node.text_of(kind).map(|value| format!("{kind} {value}")));
            }
        }
        let uri = |kind: &str| entry.at(&["uri", kind]).and_then(|u| u.node.text().map(str::to_owned));
        let alone = entry.entries().all(|(key, _)| matches!(key, "uri" | "name" | "ignoreUriCase"));
        out.takes.extend(uri("prefix").filter(|_| alone));
        out.begins.push(uri("prefix").or_else(|| uri("exact")).unwrap_or_default());
        out.methods.extend(entry.at(&["method", "exact"]).and_then(|m| m.node.text()).map(str::to_owned));
    }
    out.text = words.join(" or ");
    out
}
