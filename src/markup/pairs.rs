//! Which nodes of an old HTML become which of a new one.

use super::read::{Child, attribute};

/// What it is worth that a node need not go and another come, in bytes that read alike: more than any two
/// texts can have in common.
const A_PAIR: usize = 200;
/// So many bytes alike say that two nodes are the same; more say no more.
const ALIKE: usize = 60;

/// Which of the old nodes become which of the new ones: in order, and so that those that read alike find
/// each other.
pub(super) fn pairs(old: &[Child<'_>], new: &[Child<'_>]) -> Vec<(usize, usize)> {
    // Nodes that are further apart are no pair: the table stays small.
    let reach = old.len().abs_diff(new.len()) + 4;
    let n_row = 2 * reach + 1;
    let cell =
        |i: usize, j: usize| (j + reach).checked_sub(i).filter(|at| *at < n_row).map(|at| i * n_row + at);
    // How much reads alike from here on, for each two of them.
    let mut best = vec![0; (old.len() + 1) * n_row];
    let at = |best: &[usize], i, j| cell(i, j).map_or(0, |cell| best[cell]);
    let (old_ids, new_ids) = (ids(old), ids(new));
    let with = |best: &[usize], i: usize, j: usize| {
        if old[i].name != new[j].name || old_ids[i] != new_ids[j] {
            return 0;
        }
        likeness(old[i].text(), new[j].text()) + at(best, i + 1, j + 1)
    };
    for i in (0..old.len()).rev() {
        for j in (i.saturating_sub(reach)..new.len().min(i + reach + 1)).rev() {
            let most = with(&best, i, j).max(at(&best, i + 1, j)).max(at(&best, i, j + 1));
            if let Some(cell) = cell(i, j) {
                best[cell] = most;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < old.len() && j < new.len() {
        let here = at(&best, i, j);
        if here > 0 && here == with(&best, i, j) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if here == at(&best, i + 1, j) {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

fn ids<'a>(nodes: &[Child<'a>]) -> Vec<Option<&'a str>> {
    nodes.iter().map(|node| attribute(node.tag, "id")).collect()
}

/// What it is worth that a node with the one text becomes that with the other.
fn likeness(a: &str, b: &str) -> usize {
    let same = |(a, b): &(u8, u8)| a == b;
    let last = a.bytes().rev().zip(b.bytes().rev()).take(ALIKE).take_while(same).count();
    A_PAIR + (n_alike(a.as_bytes(), b.as_bytes()) + last).min(ALIKE)
}

/// Whether two texts are the same. Comparing them byte by byte, as Wasm's own way is, takes several times as long.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && n_alike(a.as_bytes(), b.as_bytes()) == a.len()
}

/// How many bytes two texts share at their beginning.
pub(super) fn n_alike(a: &[u8], b: &[u8]) -> usize {
    // Eight at a time; most texts share hundreds.
    let ((a_words, _), (b_words, _)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let is_same = |(a, b): &(&[u8; 8], &[u8; 8])| u64::from_ne_bytes(**a) == u64::from_ne_bytes(**b);
    let n = 8 * a_words.iter().zip(b_words).take_while(is_same).count();
    n + a[n..].iter().zip(&b[n..]).take_while(|(a, b)| a == b).count()
}
