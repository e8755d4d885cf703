//! A document without a browser, read by a parser of its own, that counts what is done to it.

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

/// The id of the element that holds a document.
pub const ROOT: &str = "root of the document";

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
        let attributes = BTreeMap::from([("id".to_owned(), ROOT.to_owned())]);
        let root =
            Self(Rc::new(RefCell::new(Data { name: "div".to_owned(), attributes, ..Data::default() })));
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

impl Fake {
    /// Takes steps as `public/patch.js` does, and says of how many parts the document was not what they say.
    pub fn take(&self, steps: &str) -> usize {
        let mut parts: Vec<Vec<&str>> = Vec::new();
        for step in steps.split_terminator('\0') {
            match (step.strip_prefix('#'), parts.last_mut()) {
                (Some(id), _) => parts.push(vec![id]),
                (None, part) => part.expect("steps begin with an id").push(step),
            }
        }
        parts.into_iter().filter(|part| self.take_part(part).is_none()).count()
    }

    fn take_part(&self, steps: &[&str]) -> Option<()> {
        let (id, steps) = steps.split_first()?;
        let mut way = vec![self.by_id(id).unwrap_or_else(|| panic!("no {id}"))];
        for step in steps {
            let mut signs = step.chars();
            let sign = signs.next().expect("a sign");
            let mut number = || signs.next().expect("a number") as usize - 32;
            let (n_same, n_further) = (number(), number());
            way.truncate(n_same + 1);
            for _ in 0..n_further {
                let child = way.last()?.0.borrow().children.get(number()).cloned()?;
                way.push(child);
            }
            let at = way.last()?.clone();
            let text = signs.as_str();
            let n = || text.parse::<usize>().expect("a number");
            match sign {
                't' => at.set_text(text)?,
                'w' => at.only_child()?.set_text(text)?,
                'a' => {
                    let (name, value) = text.split_once(' ').expect("a name and a value");
                    at.set_attribute(name, Some(value))?;
                }
                'r' => at.set_attribute(text, None)?,
                '*' => (at.elements() == n()).then_some(())?,
                '-' => {
                    let mut gone = Some(at);
                    for _ in 0..n() {
                        let node = gone?;
                        gone = node.next();
                        node.remove();
                    }
                }
                '+' => at.insert(text)?,
                '&' => (!at.is_text()).then(|| at.append(text))?,
                '=' => at.fill(text)?,
                _ => panic!("{step:?} is no step"),
            }
        }
        Some(())
    }

    /// How many elements are within, at any depth.
    fn elements(&self) -> usize {
        let children = &self.0.borrow().children;
        children.iter().filter(|child| !child.is_text()).map(|child| 1 + child.elements()).sum()
    }

    fn only_child(&self) -> Option<Self> {
        match self.0.borrow().children.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        }
    }

    fn next(&self) -> Option<Self> {
        let (parent, at) = self.place()?;
        let children = &parent.0.borrow().children;
        children.get(at + 1).cloned()
    }

    fn is_text(&self) -> bool {
        self.0.borrow().name.is_empty()
    }

    fn set_text(&self, text: &str) -> Option<()> {
        self.is_text().then_some(())?;
        touch(|touched| touched.set += 1);
        text.clone_into(&mut self.0.borrow_mut().text);
        Some(())
    }

    fn set_attribute(&self, name: &str, value: Option<&str>) -> Option<()> {
        (!self.is_text()).then_some(())?;
        touch(|touched| touched.set += 1);
        let attributes = &mut self.0.borrow_mut().attributes;
        _ = match value {
            Some(value) => attributes.insert(name.to_owned(), value.to_owned()),
            None => attributes.remove(name),
        };
        Some(())
    }

    fn remove(&self) {
        let (parent, at) = self.place().expect("only what is in the document is taken out");
        touch(|touched| touched.removed += 1);
        parent.0.borrow_mut().children.remove(at);
    }

    fn fill(&self, html: &str) -> Option<()> {
        (!self.is_text()).then_some(())?;
        self.0.borrow_mut().children.clear();
        self.append(html);
        Some(())
    }

    /// A browser does not insert beside a text.
    fn insert(&self, html: &str) -> Option<()> {
        (!self.is_text()).then_some(())?;
        let (parent, at) = self.place().expect("it is in the document");
        touch(|touched| touched.parsed += html.len());
        for (n, child) in parse(html).into_iter().enumerate() {
            parent.adopt(child, at + n);
        }
        Some(())
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
