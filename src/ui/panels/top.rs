//! The bar on top: name, views, theme, copy.

use crate::markup::{Html, Icon};
use crate::ui::components::{Copied, CopyButton};
use crate::ui::state::Theme;

/// Name, theme, and what can be taken away.
pub fn top(out: &mut Html, theme: Theme, copied: Copied, is_off: bool) {
    out.raw(
        "<p class=\"hr-top__name\">Headroom</p><nav class=\"hr-tabs\" aria-label=\"Views\">\
         <a href=\"./\" aria-current=\"page\" data-view-of=\"size\">Size</a>\
         <a href=\"?view=audit\" data-view-of=\"audit\">Audit</a>\
         <a href=\"?view=simulate\" data-view-of=\"simulate\">Simulate</a>\
         <a href=\"?view=review\" data-view-of=\"review\">Review</a></nav>",
    );
    out.begin("<div class=\"hr-top__tools\" id=\"{}\">", "s-tools");
    out.put(
        "<button class=\"hr-btn hr-btn--quiet\" type=\"button\" id=\"theme\" data-do=\"theme\" aria-label=\"{}\">{}</button>",
        &[&theme.describe(), &Icon("theme", "")],
    );
    let link = CopyButton { id: "copy-link", label: "Copy link", icon: "link", is_main: false };
    link.write(out, copied, is_off);
    let yaml = CopyButton { id: "copy-yaml", label: "Copy YAML", icon: "copy", is_main: true };
    yaml.write(out, copied, is_off);
    out.end("</div>");
}

/// Where the link stands when the clipboard refuses it.
pub const LINK_ID: &str = "link-by-hand";

/// The link, for copying by hand.
pub fn by_hand(out: &mut Html, address: &str) {
    out.put(
        "<div class=\"hr-byhand\" role=\"status\"><code id=\"link-by-hand\">{}</code>\
         <button class=\"hr-btn hr-btn--quiet\" type=\"button\" data-do=\"close\">Close</button></div>",
        &[&address],
    );
}
