//! What this does not know, as questions to answer before the sign-off.

use crate::engine::analysis::Analysis;
use crate::engine::params::ParamId;
use crate::engine::scenario::Draft;
use crate::review::document::{Block, Section};

/// Open questions: of this scenario first, then those of every sizing.
pub fn questions(a: &Analysis) -> Section {
    let s = &a.scenario;
    let draft = Draft::of(s);
    let is_open = |id: ParamId| draft.get(id).is_empty();
    let mut points = Vec::new();
    let mut ask = |is_asked: bool, text: &str| {
        if is_asked {
            points.push(text.to_owned());
        }
    };
    ask(
        s.host_concurrency.is_none(),
        "How many requests in flight does a host survive? Without it there is no ceiling: nothing here protects the hosts.",
    );
    ask(
        s.deadline_ms.is_none() && !s.protocol.streams(),
        "How long do callers wait? The deadline is assumed, and every timeout follows from it.",
    );
    ask(
        s.upstream_keepalive_s.is_none(),
        "After how long do the servers close idle connections? A pool that keeps them longer sees 503 with flag UC.",
    );
    ask(
        s.latency_ms.percentiles().len() < 2 && !s.protocol.streams(),
        "What is the shape of the latency? With one figure the tail is assumed.",
    );
    ask(
        is_open(ParamId::Skew) && s.clients > 1,
        "How uneven is the load between proxies? The busiest one decides every limit, and its share is a default.",
    );
    ask(
        is_open(ParamId::Burst),
        "How high is the worst second above the peak minute? The factor is a default.",
    );
    ask(
        is_open(ParamId::ErrorRate),
        "What share of attempts fails on a good day? Retries and ejections are sized for a default.",
    );
    ask(
        is_open(ParamId::Idempotent) && !s.idempotent,
        "May a request run twice? It is taken as not, so only what never reached a host is retried.",
    );
    ask(
        s.retrying_hops <= 1,
        "Do callers, or layers above and below, retry as well? Their attempts multiply with these.",
    );
    ask(true, "Does anybody else call these hosts? Their share of what a host survives is not counted.");
    ask(true, "Are the hosts alike, and is their share of the traffic even? A weak host is overrun first.");
    ask(
        true,
        "Do requests come in groups (batches, timers, closed loops)? The forecast takes them as independent.",
    );
    ask(true, "Has a real failure been rehearsed? The faults here are simulated, not seen.");
    Section {
        id: "questions",
        title: "Open questions: what this does not know".to_owned(),
        blocks: vec![Block::List(points)],
    }
}
