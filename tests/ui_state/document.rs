//! A document without a browser, read by a parser of its own, that counts what is done to it.

use headroom::markup::Node;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::{Rc, Weak};

/// A node; what it holds is shared, as in a browser.
#[derive(Clone, Debug)]
pub struct Fake(Rc<RefCell<Data>>);

#[derive(Debug, Default)]
struct Data {
    /// Empty for a text.
    name: String,
    text: String,
    attributes: BTreeMap<String, String>,
    children: Vec<Fake>,
    parent: Weak<RefCell<Data>>,
}

/// What was done to the nodes of this thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Texts and attributes.
    pub set: usize,
    /// Nodes taken out.
    pub removed: usize,
    /// Bytes of HTML to parse.
    pub parsed: usize,
}

thread_local!(static TOUCHED: RefCell<Touched> = RefCell::default());

fn touch(how: impl FnOnce(&mut Touched)) {
    TOUCHED.with_borrow_mut(how);
}

impl Fake {
    /// An element with that HTML in it.
    pub fn holding(html: &str) -> Self {
        let root = Self(Rc::new(RefCell::new(Data { name: "div".to_owned(), ..Data::default() })));
        for child in parse(html) {
            root.adopt(child, usize::MAX);
        }
        TOUCHED.take();
        root
    }

    /// What was done since a document was made.
    pub fn touched() -> Touched {
        TOUCHED.with_borrow(|touched| *touched)
    }

    /// The inside, in one way of writing it.
    pub fn html(&self) -> String {
        let mut out = String::new();
        for child in &self.0.borrow().children {
            child.write(&mut out);
        }
        out
    }

    /// The element with that id.
    pub fn by_id(&self, id: &str) -> Option<Self> {
        if self.0.borrow().attributes.get("id").is_some_and(|own| own == id) {
            return Some(self.clone());
        }
        self.0.borrow().children.iter().find_map(|child| child.by_id(id))
    }

    fn write(&self, out: &mut String) {
        let data = self.0.borrow();
        if data.name.is_empty() {
            _ = write!(out, "{:?}", data.text);
            return;
        }
        _ = write!(out, "<{} {:?}>{}</>", data.name, data.attributes, self.html());
    }

    fn adopt(&self, child: Self, at: usize) {
        child.0.borrow_mut().parent = Rc::downgrade(&self.0);
        let children = &mut self.0.borrow_mut().children;
        let at = at.min(children.len());
        children.insert(at, child);
    }

    /// The parent and the place in it.
    fn place(&self) -> Option<(Self, usize)> {
        let parent = Self(self.0.borrow().parent.upgrade()?);
        let at = parent.0.borrow().children.iter().position(|child| Rc::ptr_eq(&child.0, &self.0))?;
        Some((parent, at))
    }
}

impl Node for Fake {
    fn first(&self) -> Option<Self> {
        self.0.borrow().children.first().cloned()
    }

    fn next(&self) -> Option<Self> {
        let (parent, at) = self.place()?;
        let children = &parent.0.borrow().children;
        children.get(at + 1).cloned()
    }

    fn count(&self) -> usize {
        self.0.borrow().children.len()
    }

    fn is_text(&self) -> bool {
        self.0.borrow().name.is_empty()
    }

    fn set_text(&self, text: &str) {
        assert!(self.is_text());
        touch(|touched| touched.set += 1);
        text.clone_into(&mut self.0.borrow_mut().text);
    }

    fn set_attribute(&self, name: &str, value: Option<&str>) {
        assert!(!self.is_text());
        touch(|touched| touched.set += 1);
        let attributes = &mut self.0.borrow_mut().attributes;
        _ = match value {
            Some(value) => attributes.insert(name.to_owned(), value.to_owned()),
            None => attributes.remove(name),
        };
    }

    fn remove(&self) {
        let (parent, at) = self.place().expect("only what is in the document is taken out");
        touch(|touched| touched.removed += 1);
        parent.0.borrow_mut().children.remove(at);
    }

    fn fill(&self, html: &str) {
        assert!(!self.is_text());
        self.0.borrow_mut().children.clear();
        self.append(html);
    }

    fn insert(&self, html: &str) {
        assert!(!self.is_text(), "a browser does not insert beside a text");
        let (parent, at) = self.place().expect("it is in the document");
        touch(|touched| touched.parsed += html.len());
        for (n, child) in parse(html).into_iter().enumerate() {
            parent.adopt(child, at + n);
        }
    }

    fn append(&self, html: &str) {
        touch(|touched| touched.parsed += html.len());
        for child in parse(html) {
            self.adopt(child, usize::MAX);
        }
    }
}

/// The nodes of a text, as a browser reads it.
fn parse(html: &str) -> Vec<Fake> {
    let mut open = vec![Data::default()];
    let close = |open: &mut Vec<Data>| {
        let done = Fake(Rc::new(RefCell::new(open.pop().expect("something is open"))));
        for child in &done.0.borrow().children {
            child.0.borrow_mut().parent = Rc::downgrade(&done.0);
        }
        open.last_mut().expect("the root is open").children.push(done);
    };
    for part in html.split('<').enumerate().filter(|(at, part)| *at > 0 || !part.is_empty()) {
        let (tag, text) = match part {
            (0, text) => ("", text),
            (_, part) => part.split_once('>').expect("tags end"),
        };
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.last().expect("the root is open").name, name, "{html}");
            close(&mut open);
        } else if !tag.is_empty() {
            let tag_itself = tag.trim_end_matches('/');
            let (name, mut rest) = tag_itself.split_once(' ').unwrap_or((tag_itself, ""));
            let mut data = Data { name: name.to_owned(), ..Data::default() };
            while !rest.is_empty() {
                let end = rest.find(['=', ' ']).unwrap_or(rest.len());
                let (name, after) = rest.split_at(end);
                let (value, after) = match after.strip_prefix("=\"") {
                    Some(after) => after.split_once('"').expect("values end"),
                    None => ("", after),
                };
                data.attributes.insert(name.to_owned(), plain(value));
                rest = after.trim_start();
            }
            let is_void = tag.ends_with('/') || ["br", "input", "img", "hr", "wbr", "col"].contains(&name);
            open.push(data);
            if is_void {
                close(&mut open);
            }
        }
        if !text.is_empty() {
            open.push(Data { text: plain(text), ..Data::default() });
            close(&mut open);
        }
    }
    assert_eq!(open.len(), 1, "all is closed: {html}");
    open.remove(0).children
}

fn plain(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}
