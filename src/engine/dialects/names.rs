//! From the name of a cluster to a service of Kubernetes.

/// The namespace of a name that has none.
const DEFAULT_NAMESPACE: &str = "default";
/// The domain of services, unless a cluster was set up otherwise.
const DOMAIN: &str = "cluster.local";
/// A name of which nothing is left.
const NAMELESS: &str = "my-service";
/// Longest label of DNS-1123.
const MAX_LABEL: usize = 63;
/// Longest name of DNS-1123.
const MAX_NAME: usize = 253;

/// What resources for a cluster are called and what they are about; all of it valid by DNS-1123.
///
/// # Examples
///
/// ```
/// use headroom::engine::dialects::Names;
///
/// let names = Names::of("Checkout API");
/// assert_eq!(names.resource, "checkout-api");
/// assert_eq!(names.host, "checkout-api.default.svc.cluster.local");
/// assert_eq!(Names::of("cart.shop").host, "cart.shop.svc.cluster.local");
/// assert_eq!(Names::of("api.example.com").host, "api.example.com");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The name of the resources, and of the service where it is one.
    pub resource: String,
    /// The namespace.
    pub namespace: String,
    /// The full name of the service, or of the host outside.
    pub host: String,
    /// Whether it is a service of the cluster, and not a host outside.
    pub is_service: bool,
    /// Whether the name is another than that of the cluster.
    pub is_made: bool,
    /// The route that Envoy Gateway's name of the cluster is about.
    pub route: Option<&'static str>,
    /// The part of a host or of a route that the cluster is for, in words.
    pub part: Option<String>,
}

/// Envoy Gateway's names of clusters: how they begin, and the route they are made for.
const ROUTES: [(&str, &str); 2] = [("httproute", "HTTPRoute"), ("grpcroute", "GRPCRoute")];

impl Names {
    /// The names for a cluster.
    ///
    /// `service`, `service.namespace` and `service.namespace.svc…` are services, also where Istio's
    /// name of the cluster stands around them (`outbound|80||cart.shop.svc.cluster.local`); other
    /// names of three labels and more are hosts outside. `httproute/NAMESPACE/NAME/rule/0` is a route
    /// of Envoy Gateway. Of every other name letters and digits are kept.
    pub fn of(cluster: &str) -> Self {
        if let Some(route) = Self::of_route(cluster) {
            return route;
        }
        let names = Self::of_host(cluster);
        Self { part: part_of_host(cluster), ..names }
    }

    /// `httproute/NAMESPACE/NAME/rule/0`, or `grpcroute/…`.
    fn of_route(cluster: &str) -> Option<Self> {
        let cluster = cluster.trim().to_lowercase();
        let mut parts = cluster.split('/');
        let (begins, namespace, name) = (parts.next()?, parts.next()?, parts.next()?);
        let kind = ROUTES.iter().find(|(word, _)| *word == begins)?.1;
        if !is_label(namespace) || name.len() > MAX_NAME || !name.split('.').all(is_label) {
            return None;
        }
        let rule = match (parts.next(), parts.next()) {
            (Some("rule"), Some(rule)) if rule.bytes().all(|b| b.is_ascii_digit()) => {
                Some(format!("rule {rule}"))
            }
            _ => None,
        };
        // What the service behind the route is called, nobody said.
        Some(Self {
            resource: name.to_owned(),
            is_made: true,
            route: Some(kind),
            part: rule,
            ..Self::service(&label_of(name), namespace, DOMAIN)
        })
    }

    fn of_host(cluster: &str) -> Self {
        let host = cluster.trim().rsplit('|').next().unwrap_or_default().trim_end_matches('.').to_lowercase();
        let labels: Vec<&str> = host.split('.').collect();
        let is_host = host.len() <= MAX_NAME && labels.iter().all(|label| is_label(label));
        // A service begins with a letter; `1.0` is a version, not a service in a namespace.
        let is_host = is_host && host.starts_with(|c: char| c.is_ascii_alphabetic());
        match labels.as_slice() {
            [service, namespace] if is_host => Self::service(service, namespace, DOMAIN),
            [service, namespace, "svc"] if is_host => Self::service(service, namespace, DOMAIN),
            [service, namespace, "svc", domain @ ..] if is_host => {
                Self::service(service, namespace, &domain.join("."))
            }
            [_, _, _, ..] if is_host => Self {
                resource: label_of(&host),
                namespace: DEFAULT_NAMESPACE.to_owned(),
                host,
                is_service: false,
                is_made: true,
                route: None,
                part: None,
            },
            _ => {
                let label = label_of(&host);
                let is_made = label != cluster;
                Self { is_made, ..Self::service(&label, DEFAULT_NAMESPACE, DOMAIN) }
            }
        }
    }

    /// `the service checkout in the namespace default`, for a comment.
    pub fn about(&self, kind: &str) -> String {
        let is_made = self.is_made && self.route != Some(kind);
        let from = if is_made { ", made of the name above," } else { "" };
        format!("the {kind} {}{from} in the namespace {}", self.resource, self.namespace)
    }

    fn service(service: &str, namespace: &str, domain: &str) -> Self {
        Self {
            resource: service.to_owned(),
            namespace: namespace.to_owned(),
            host: format!("{service}.{namespace}.svc.{domain}"),
            is_service: true,
            is_made: false,
            route: None,
            part: None,
        }
    }
}

/// `outbound|8080|v1|host`: port and subset.
fn part_of_host(cluster: &str) -> Option<String> {
    let parts: Vec<&str> = cluster.trim().split('|').collect();
    let [_, port, subset, _] = parts.as_slice() else { return None };
    let said = [("port", port), ("subset", subset)].into_iter().filter(|(_, word)| !word.is_empty());
    let words: Vec<String> = said.map(|(what, word)| format!("{what} {word}")).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// `[a-z0-9]([-a-z0-9]*[a-z0-9])?`, at most 63 characters.
fn is_label(text: &str) -> bool {
    let is_end = |c: Option<char>| c.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    text.len() <= MAX_LABEL
        && text.chars().all(|c| c == '-' || is_end(Some(c)))
        && is_end(text.chars().next())
        && is_end(text.chars().next_back())
}

/// A label of what is left of a text: runs of anything but letters and digits become one dash.
fn label_of(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().map(|c| c.to_ascii_lowercase()) {
        if c.is_ascii_alphanumeric() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        if out.len() == MAX_LABEL {
            break;
        }
    }
    let label = out.trim_end_matches('-');
    if label.is_empty() { NAMELESS.to_owned() } else { label.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{Names, is_label};

    #[track_caller]
    fn check(cluster: &str, resource: &str, namespace: &str, host: &str) {
        let names = Names::of(cluster);
        assert_eq!((&*names.resource, &*names.namespace, &*names.host), (resource, namespace, host));
    }

    #[test]
    fn services_keep_their_names() {
        check("checkout", "checkout", "default", "checkout.default.svc.cluster.local");
        check("cart.shop", "cart", "shop", "cart.shop.svc.cluster.local");
        check("cart.shop.svc", "cart", "shop", "cart.shop.svc.cluster.local");
        check("cart.shop.svc.example.org", "cart", "shop", "cart.shop.svc.example.org");
        check("outbound|80|v1|cart.shop.svc.cluster.local", "cart", "shop", "cart.shop.svc.cluster.local");
        assert!(Names::of("cart.shop").is_service);
        assert_eq!(Names::of("cart.shop").about("service"), "the service cart in the namespace shop");
    }

    #[test]
    fn routes_of_envoy_gateway_are_understood() {
        check("httproute/shop/cart/rule/0", "cart", "shop", "cart.shop.svc.cluster.local");
        let names = Names::of("httproute/shop/cart/rule/0");
        assert_eq!((names.route, names.part.as_deref()), (Some("HTTPRoute"), Some("rule 0")));
        assert_eq!(names.about("HTTPRoute"), "the HTTPRoute cart in the namespace shop");
        assert_eq!(names.about("service"), "the service cart, made of the name above, in the namespace shop");
        assert_eq!(Names::of("grpcroute/shop/cart/rule/12/backend/0").route, Some("GRPCRoute"));
        assert_eq!(Names::of("grpcroute/shop/cart/rule/12").part.as_deref(), Some("rule 12"));
        check("httproute/shop/cart.v2/rule/0", "cart.v2", "shop", "cart-v2.shop.svc.cluster.local");
        for other in ["httproute", "httproute/shop", "httproute//cart/rule/0", "tcproute/shop/cart/rule/0"] {
            assert_eq!(Names::of(other).route, None, "{other}");
        }
    }

    #[test]
    fn ports_and_subsets_are_told() {
        let part = |cluster: &str| Names::of(cluster).part;
        assert_eq!(part("outbound|8080|v1|cart.shop").as_deref(), Some("port 8080, subset v1"));
        assert_eq!(part("outbound|80||cart.shop.svc.cluster.local").as_deref(), Some("port 80"));
        assert_eq!(part("cart.shop"), None);
        assert_eq!(part("a|b"), None);
    }

    #[test]
    fn hosts_outside_stay_outside() {
        check("api.example.com", "api-example-com", "default", "api.example.com");
        assert!(!Names::of("api.example.com").is_service);
    }

    #[test]
    fn other_texts_become_a_label() {
        check("Checkout API (v2)", "checkout-api-v2", "default", "checkout-api-v2.default.svc.cluster.local");
        check("my_service", "my-service", "default", "my-service.default.svc.cluster.local");
        check("1.0", "1-0", "default", "1-0.default.svc.cluster.local");
        check("支払い", "my-service", "default", "my-service.default.svc.cluster.local");
        check("-a..b-", "a-b", "default", "a-b.default.svc.cluster.local");
        check("", "my-service", "default", "my-service.default.svc.cluster.local");
        let about = Names::of("Checkout API").about("HTTPRoute");
        assert_eq!(about, "the HTTPRoute checkout-api, made of the name above, in the namespace default");
        let long = Names::of(&"ab ".repeat(60));
        assert!(is_label(&long.resource) && long.resource.len() >= 62, "{long:?}");
    }
}
