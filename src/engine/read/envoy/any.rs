//! Messages in wrappers: `typed_config`, `TypedStruct`, `resource`.

use crate::engine::read::field::Field;

/// The name of a message's type, without its package: `Cluster`; empty where there is none.
pub fn type_name<'t>(field: &Field<'t>) -> &'t str {
    let url = field.node.text_of("@type").unwrap_or_default();
    url.rsplit(['/', '.']).next().unwrap_or_default()
}

/// The message itself: out of `TypedStruct` and `google.protobuf.Struct` wrappers, and out of the
/// wrapper of a discovery response.
pub fn unwrap<'t>(field: &Field<'t>) -> Field<'t> {
    let inner = match type_name(field) {
        "TypedStruct" | "Struct" => field.get("value"),
        "Resource" => field.get("resource"),
        _ => None,
    };
    match inner {
        Some(inner) if inner.node.entries().is_some() => inner,
        _ => field.clone(),
    }
}

/// The name of the type, seen through a `TypedStruct`.
pub fn inner_type<'t>(field: &Field<'t>) -> &'t str {
    match type_name(field) {
        "TypedStruct" => {
            field.node.text_of("type_url").and_then(|url| url.rsplit(['/', '.']).next()).unwrap_or_default()
        }
        "Resource" => field.get("resource").map(|r| type_name(&r)).unwrap_or_default(),
        name => name,
    }
}
