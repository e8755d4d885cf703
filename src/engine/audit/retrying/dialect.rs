//! What each program lets its users write about retries.

use crate::engine::audit::RouteCx;
use crate::engine::read::config::Dialect;
use crate::engine::scenario::EnvoyVersion;

/// Whether a program has a field for a retry budget.
pub(super) fn writes_budget(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Envoy | Dialect::Cilium | Dialect::Istio | Dialect::EnvoyGateway)
}

/// Whether a program has a field for retries at once.
pub(super) fn writes_max_retries(dialect: Dialect) -> bool {
    !matches!(dialect, Dialect::Consul | Dialect::AppMesh)
}

/// The words that repeat only what never ran, in a program's and a release's own list.
pub fn safe_conditions(dialect: Dialect, version: EnvoyVersion) -> Vec<String> {
    let newer = (version >= EnvoyVersion::minor(31)).then_some("reset-before-request");
    written_in(dialect, ["connect-failure", "refused-stream"].into_iter().chain(newer))
}

/// The words of the recommended policy that a program has; none without traffic or without retries.
pub fn recommended_conditions(cx: &RouteCx<'_>) -> Option<Vec<String>> {
    let words = &cx.traffic()?.sizing.retry.retry_on;
    let words = written_in(cx.dialect(), words.iter().copied());
    (!words.is_empty()).then_some(words)
}

/// The words that a program lets its users write.
fn written_in<'w>(dialect: Dialect, words: impl Iterator<Item = &'w str>) -> Vec<String> {
    use Dialect::{AppMesh, Contour, Emissary, Kuma};
    let is_known = |word: &str| match word {
        "reset-before-request" => !matches!(dialect, AppMesh | Contour | Emissary | Kuma),
        "reset" => !matches!(dialect, AppMesh | Emissary),
        _ => true,
    };
    words.filter(|word| is_known(word)).map(str::to_owned).collect()
}

/// Whether status codes stand among the words of `retry_on`, so that no change of theirs is apart.
pub fn codes_among_words(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Istio | Dialect::Kuma)
}
