//! Room for labels in a drawing: each takes the first of its places that is free.

use super::svg::{Words, units};
use super::text::{Anchor, Area, Tone, ems};

/// The plot with what is in it already, in CSS px.
pub(super) struct Room {
    plot: Area,
    pub em: f64,
    taken: Vec<Area>,
    dots: Vec<Area>,
    lines: Vec<(Vec<(f64, f64)>, u32)>,
    words: Vec<Words>,
}

/// Prices of passing through a label.
pub(super) const CURVE: u32 = 8;
pub(super) const PROBE: u32 = 4;
pub(super) const REFERENCE: u32 = 1;
/// A way to hang a label at a point: shift in units of the text size, and the end that hangs.
pub(super) type Place = (f64, f64, Anchor);

impl Room {
    pub fn new(plot: Area, em: f64) -> Self {
        Self { plot, em, taken: Vec::new(), dots: Vec::new(), lines: Vec::new(), words: Vec::new() }
    }

    /// Adds a line that labels should keep clear of, its points from left to right; a dearer one is
    /// crossed later.
    pub fn add_line(&mut self, points: impl Iterator<Item = (f64, f64)>, price: u32) {
        self.lines.push((points.collect(), price));
    }

    pub fn add_dot(&mut self, (x, y): (f64, f64)) {
        let reach = 7.0;
        self.dots.push(Area { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach });
    }

    pub fn into_words(self) -> Vec<Words> {
        self.words
    }

    /// Writes `text` where it touches no label and crosses the fewest lines, whose drawing its
    /// halo interrupts; the first such place is taken. Returns whether there was one.
    pub fn write(&mut self, text: &str, tone: Tone, places: &[Place]) -> bool {
        self.write_within(u32::MAX, text, tone, places)
    }

    /// The same, at places that cost no more than `most`.
    pub fn write_within(&mut self, most: u32, text: &str, tone: Tone, places: &[Place]) -> bool {
        let width = ems(text) * self.em * tone.weight();
        let mut best: Option<(u32, Place, Area)> = None;
        for &(x, y, anchor) in places {
            let (left, right) = anchor.span(x, width);
            let area = Area { left, top: y - 0.85 * self.em, right, bottom: y + 0.3 * self.em };
            let apart = Area { left: left - 8.0, right: right + 8.0, ..area };
            let is_free = !self.taken.iter().any(|taken| taken.touches(&apart))
                && !self.dots.iter().any(|dot| dot.touches(&area));
            if !is_free || !self.plot.holds(&area) {
                continue;
            }
            let price = self.price(&area);
            if price <= most && best.is_none_or(|(least, ..)| price < least) {
                best = Some((price, (x, y, anchor), area));
            }
            if price == 0 {
                break;
            }
        }
        let Some((_, (x, y, anchor), area)) = best else { return false };
        self.taken.push(area);
        self.words.push(Words { text: text.to_owned(), at: (units(x), units(y)), anchor, tone });
        true
    }

    /// Writes nothing, where another drawing has words.
    pub fn skip(&mut self) {
        self.words.push(Words::none());
    }

    /// What it costs to write there: the sum of the prices of the lines that pass through.
    fn price(&self, area: &Area) -> u32 {
        let is_crossed = |line: &[(f64, f64)]| {
            let first = line.partition_point(|(x, _)| *x < area.left).saturating_sub(1);
            let mut near = line[first..].windows(2).take_while(|pair| pair[0].0 <= area.right);
            near.any(|pair| matches!(pair, [from, to] if area.is_crossed(*from, *to)))
        };
        self.lines.iter().filter(|(line, _)| is_crossed(line)).map(|(_, price)| price).sum()
    }

    /// Ways to hang a label, as places of the plot.
    pub fn around(&self, (x, y): (f64, f64), ways: &[Place]) -> Vec<Place> {
        ways.iter().map(|&(dx, dy, anchor)| (x + dx * self.em, y + dy * self.em, anchor)).collect()
    }
}
