//! Names of saved scenarios: what they may be, and which one is free.

use crate::engine::units::display::echo;

/// Longest name, in characters.
pub const MAX_NAME: usize = 80;

/// A name as it is kept, without spaces around it.
///
/// # Errors
///
/// What is wrong with it, and what is allowed.
pub fn check_name(name: &str) -> Result<&str, String> {
    let name = name.trim();
    let n = name.chars().count();
    if n == 0 {
        return Err("The name is empty. Enter one of up to 80 characters.".to_owned());
    }
    if n > MAX_NAME {
        return Err(format!("The name has {n} characters. Allowed: up to {MAX_NAME}. Shorten it."));
    }
    if name.chars().any(is_invisible) {
        return Err(format!(
            "The name “{}” has a line break or another character that cannot be seen. Remove it.",
            echo(name)
        ));
    }
    Ok(name)
}

/// Control characters, and those that hide or reorder text: a name must be what it looks like.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The name, or the name with the first number that is free: `checkout 2`.
pub fn free(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(name) {
        return name.to_owned();
    }
    let mut n = 2_u32;
    loop {
        let end = format!(" {n}");
        let room = MAX_NAME - end.len();
        let start: String = name.chars().take(room).collect();
        let candidate = start.trim_end().to_owned() + &end;
        if !is_taken(&candidate) {
            return candidate;
        }
        n += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_they_look_like() {
        assert_eq!(check_name("  оплата <img> \"x\" "), Ok("оплата <img> \"x\""));
        assert_eq!(check_name(&"ü".repeat(80)).map(str::len), Ok(160));
        for name in ["", " \t", "a\nb", "pay\u{202e}tuo", "a\u{200b}b", "a\u{2067}b", "a\u{2028}b"] {
            assert!(check_name(name).is_err(), "{name:?}");
        }
        let long = check_name(&"x".repeat(10_000)).expect_err("too long");
        assert_eq!(long, "The name has 10000 characters. Allowed: up to 80. Shorten it.");
    }

    #[test]
    fn a_taken_name_gets_the_next_number_within_the_limit() {
        let taken = ["checkout", "checkout 2"];
        assert_eq!(free("checkout", |name| taken.contains(&name)), "checkout 3");
        assert_eq!(free("cart", |name| taken.contains(&name)), "cart");
        let long = "x".repeat(MAX_NAME);
        let free = free(&long, |name| name == long);
        assert_eq!((free.chars().count(), free.ends_with("x 2")), (MAX_NAME, true));
    }
}
