//! What is to be said of a link: what is wrong with it, or what has changed since it was made.

use crate::engine::params::by_key;
use crate::markup::{Html, Icon};
use crate::ui::state::LinkSaid;

/// Every input could be wrong; a hostile link could name more, and the first ones show what it is.
const MOST_SHOWN: usize = 40;

/// Says it, until dismissed.
pub fn link_notice(out: &mut Html, said: &LinkSaid) {
    let (class, icon) = if said.is_error { ("link", "danger") } else { ("caution", "caution") };
    out.put(
        "<div class=\"hr-banner hr-banner--{}\" role=\"alert\" data-testid=\"link-problems\">{}<div>\
         <p><b>{}</b></p><ul>",
        &[&class, &Icon(icon, ""), &said.title],
    );
    for item in said.items.iter().take(MOST_SHOWN) {
        match by_key(&item.field) {
            Some(p) => out.put("<li><b>{}:</b> {}</li>", &[&p.label, &item.message]),
            None => out.put("<li><code>{}</code> {}</li>", &[&item.field, &item.message]),
        }
    }
    if said.items.len() > MOST_SHOWN {
        out.raw("<li>and more</li>");
    }
    out.raw(
        "</ul><button class=\"hr-link\" type=\"button\" data-do=\"dismiss\">Dismiss</button></div></div>",
    );
}
