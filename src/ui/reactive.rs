//! Reactive values of few types.
//!
//! Leptos compiles its machinery anew for every type of closure that a view contains. A page of a
//! hundred closures would be a third larger for it, so what changes is given to a view as one of
//! the four types here.

use leptos::prelude::*;

/// A text that follows what it reads.
pub fn text(read: impl Fn() -> String + Send + Sync + 'static) -> Signal<String> {
    Signal::derive(read)
}

/// A yes or no that follows what it reads.
pub fn flag(read: impl Fn() -> bool + Send + Sync + 'static) -> Signal<bool> {
    Signal::derive(read)
}

/// A text that may be missing: an attribute that comes and goes.
pub fn maybe(read: impl Fn() -> Option<String> + Send + Sync + 'static) -> Signal<Option<String>> {
    Signal::derive(read)
}

/// A part of the page that is built anew when what it reads changes.
pub fn part(build: impl Fn() -> AnyView + Send + 'static) -> AnyView {
    let build: Box<dyn Fn() -> AnyView + Send> = Box::new(build);
    build.into_any()
}
