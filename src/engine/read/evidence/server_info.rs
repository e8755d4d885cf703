//! The JSON of `/server_info`: release, uptime, worker threads.

use super::gather::count;
use super::{LeftOut, Page};
use crate::engine::read::build::Builder;
use crate::engine::read::config::ServerReport;
use crate::engine::read::json::{Json, Stop};
use crate::engine::read::source::Budget;
use crate::engine::read::tree::Node;
use crate::engine::read::{Place, Spanned};
use crate::engine::units::Millis;

/// Whether a text is that page: its version has slashes, and a state comes with it.
pub fn is_one(text: &str) -> bool {
    /// The page has a few kilobytes, most of them options.
    const LOOKED_AT: usize = 64 * 1024;
    let Some(head) = text.get(..text.len().min(LOOKED_AT)) else { return false };
    let version = head.split_once("\"version\"").and_then(|(_, rest)| rest.split('"').nth(1));
    version.is_some_and(|version| release(version).is_some()) && head.contains("\"state\"")
}

/// Reads the page.
pub fn read(page: Page<'_>, left_out: &mut Vec<LeftOut>) -> ServerReport {
    let mut budget = Budget::default();
    let mut tree = Builder::new(&mut budget);
    let stopped = Json::new(page.text, page.skip).value(&mut tree).err();
    if let Some(Stop::Syntax(span, _) | Stop::Full(span, _)) = stopped {
        left_out.push(LeftOut::Json(Place { file: page.file, span, ..Place::default() }));
    }
    let Some(root) = tree.end() else { return ServerReport { at: page.start(), ..ServerReport::default() } };
    let place = |node: &Node| Place { file: page.file, span: node.span, ..Place::default() };
    let text = |node: &Node, name: &str| Some((node.text_of(name)?.to_owned(), place(node.get(name)?)));
    let all = text(&root, "uptime_all_epochs").or_else(|| text(&root, "uptime_current_epoch"));
    let options = root.get("command_line_options");
    let workers = options.and_then(|options| text(options, "concurrency"));
    ServerReport {
        at: page.start(),
        version: text(&root, "version").and_then(|(v, at)| Some(Spanned::new(release(&v)?.to_owned(), at))),
        uptime: all.and_then(|(s, at)| Some(Spanned::new(seconds(&s)?, at))),
        workers: workers.and_then(|(n, at)| Some(Spanned::new(u32::try_from(count(&n)?).ok()?, at))),
    }
}

/// The release in `e0e7…/1.40.0/Clean/RELEASE/BoringSSL`.
fn release(version: &str) -> Option<&str> {
    let release = version.split('/').nth(1)?;
    release.starts_with(|c: char| c.is_ascii_digit()).then_some(release)
}

fn seconds(text: &str) -> Option<Millis> {
    let seconds: f64 = text.strip_suffix('s')?.parse().ok()?;
    (seconds.is_finite() && seconds >= 0.0).then(|| Millis::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::{is_one, release};

    #[test]
    fn releases() {
        assert_eq!(release("e0e7/1.40.0/Clean/RELEASE/BoringSSL"), Some("1.40.0"));
        assert_eq!((release("1.40.0"), release(""), release("a/b")), (None, None, None));
        assert!(!is_one("{\"version\": 4, \"state\": \"LIVE\"}"));
    }
}
