//! Any document as a tree of a few shapes, so that the YAML serializer is compiled for one type.
//!
//! Compiled for each struct of Envoy's API, it would make the page a tenth larger.

use serde::ser::{self, Impossible, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// A value of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Flag(bool),
    Whole(u64),
    Number(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(Cow<'static, str>, Node)>),
    /// A list or map that is written in one line, marked as the YAML crate does it.
    Marked(&'static str, Box<Node>),
}

/// How the names of the YAML crate's own wrappers begin.
const MARK: &str = "__yaml";

/// The error that does not happen. Documents are types of ours; a part that configuration text does
/// not need (a null, bytes, a variant with fields) is a mistake in one of them, which every test that
/// writes it finds. Without a real error the compiler drops the way of errors from each field.
#[derive(Debug)]
pub enum NoShape {}

/// Why [`NoShape`] does not happen.
const SHAPES: &str = "documents are structs of texts, numbers, lists and maps";

impl Node {
    /// The tree of a document.
    pub fn of<T: Serialize + ?Sized>(document: &T) -> Self {
        match document.serialize(Shapes) {
            Ok(node) => node,
            Err(never) => match never {},
        }
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Whole(whole) => serializer.serialize_u64(*whole),
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Marked(mark, node) => serializer.serialize_newtype_struct(mark, node),
            Self::Map(entries) => serializer.collect_map(entries.iter().map(|(key, value)| (key, value))),
        }
    }
}

impl fmt::Display for NoShape {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl std::error::Error for NoShape {}

impl ser::Error for NoShape {
    fn custom<T: fmt::Display>(_: T) -> Self {
        unreachable!("{SHAPES}")
    }
}

/// Turns values into nodes.
struct Shapes;

macro_rules! none {
    ($($method:ident($($of:ty),*))*) => {
        $(fn $method(self $(, _: $of)*) -> Result<Node, NoShape> { unreachable!("{SHAPES}") })*
    };
}

macro_rules! wholes {
    ($($method:ident($of:ty))*) => {
        $(fn $method(self, whole: $of) -> Result<Node, NoShape> { Ok(Node::Whole(u64::from(whole))) })*
    };
}

impl Serializer for Shapes {
    type Ok = Node;
    type Error = NoShape;
    type SerializeSeq = Items;
    type SerializeTuple = Impossible<Node, NoShape>;
    type SerializeTupleStruct = Impossible<Node, NoShape>;
    type SerializeTupleVariant = Impossible<Node, NoShape>;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeStructVariant = Impossible<Node, NoShape>;

    wholes! { serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) }
    none! {
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_f32(f32)
        serialize_char(char) serialize_bytes(&[u8]) serialize_none() serialize_unit()
        serialize_unit_struct(&'static str)
    }

    fn serialize_bool(self, flag: bool) -> Result<Node, NoShape> {
        Ok(Node::Flag(flag))
    }

    fn serialize_f64(self, number: f64) -> Result<Node, NoShape> {
        Ok(Node::Number(number))
    }

    fn serialize_str(self, text: &str) -> Result<Node, NoShape> {
        Ok(Node::Text(text.to_owned()))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Node, NoShape> {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<Node, NoShape> {
        self.serialize_str(name)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Node, NoShape> {
        let node = value.serialize(self)?;
        Ok(if name.starts_with(MARK) { Node::Marked(name, Box::new(node)) } else { node })
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<Node, NoShape> {
        Ok(Node::Map(vec![(name.into(), value.serialize(self)?)]))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items, NoShape> {
        Ok(Items(Vec::new()))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries, NoShape> {
        Ok(Entries { entries: Vec::new(), key: String::new() })
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries, NoShape> {
        self.serialize_map(None)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, NoShape> {
        unreachable!("{SHAPES}")
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, NoShape> {
        unreachable!("{SHAPES}")
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, NoShape> {
        unreachable!("{SHAPES}")
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, NoShape> {
        unreachable!("{SHAPES}")
    }
}

/// The items of a list.
struct Items(Vec<Node>);

impl ser::SerializeSeq for Items {
    type Ok = Node;
    type Error = NoShape;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoShape> {
        self.0.push(Node::of(value));
        Ok(())
    }

    fn end(self) -> Result<Node, NoShape> {
        Ok(Node::List(self.0))
    }
}

/// The entries of a map or the fields of a struct.
struct Entries {
    entries: Vec<(Cow<'static, str>, Node)>,
    key: String,
}

impl Entries {
    /// One copy of it, not one a field.
    #[inline(never)]
    fn put(&mut self, key: &'static str, value: Node) {
        self.entries.push((key.into(), value));
    }
}

impl ser::SerializeMap for Entries {
    type Ok = Node;
    type Error = NoShape;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NoShape> {
        let Node::Text(key) = Node::of(key) else { unreachable!("{SHAPES}") };
        self.key = key;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoShape> {
        let key = std::mem::take(&mut self.key);
        self.entries.push((key.into(), Node::of(value)));
        Ok(())
    }

    fn end(self) -> Result<Node, NoShape> {
        Ok(Node::Map(self.entries))
    }
}

impl ser::SerializeStruct for Entries {
    type Ok = Node;
    type Error = NoShape;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), NoShape> {
        self.put(key, Node::of(value));
        Ok(())
    }

    fn end(self) -> Result<Node, NoShape> {
        Ok(Node::Map(self.entries))
    }
}
