//! Links in and out: `--link`, `--base-url`, and the link in every output.

use super::{MINIMAL, assert_all_in, json, refused, run, size, stdout};

const LINK: &str = "v=1&name=checkout&rps=500&p50=35&p99=110&clients=100&hosts=12&host_concurrency=64";

#[test]
fn a_link_is_a_beginning_in_every_form() {
    let expected = stdout(&size(&["--preset", "sidecar-mesh"]));
    for before in ["", "#", "https://headroom.example/#", "http://localhost:8080/tools/?view=audit#"] {
        assert_eq!(stdout(&size(&["--link", &format!("{before}{LINK}")])), expected, "{before}");
    }
    let changed = stdout(&size(&["--link", LINK, "--clients", "200"]));
    assert!(changed.contains("&clients=200&"), "{changed}");
}

#[test]
fn audits_and_simulations_take_links_too() {
    let audited = run(&["audit", "--link", LINK, "--output", "json", "tests/golden/envoy/sidecar-mesh.yaml"]);
    assert_eq!(audited.status.code(), Some(0), "{}", String::from_utf8_lossy(&audited.stderr));
    let same = run(&["simulate", "--preset", "sidecar-mesh", "--duration", "5"]);
    assert_eq!(stdout(&run(&["simulate", "--link", LINK, "--duration", "5"])), stdout(&same));
}

#[test]
fn every_problem_of_a_link_is_told_at_once() {
    let said = refused(&size(&["--link", "#v=1&rps=%ff&p50=3&hosts=0&rsp=5&burst=x", "--output", "yml"]));
    assert_all_in(
        &said,
        &[
            "5 problems in the input",
            "rps in the link: The value is not readable text.",
            "rsp in the link: This is not an input of Headroom. Correct or remove it. Did you mean rps?",
            "hosts in the link: 0 is out of range. Allowed: whole numbers 1 to ",
            "burst in the link: “x” is not a number.",
            "--output: “yml” is not known.",
        ],
    );
    assert!(!said.contains("missing"), "{said}");
    let said = refused(&size(&["--link", "https://headroom.example/#v=2099.01&rps=5&p50=3"]));
    assert_all_in(
        &said,
        &["one problem", "v in the link: The link was made with the rules of 2099.01, a newer"],
    );
}

#[test]
fn what_is_no_link_says_what_to_do() {
    for link in ["https://headroom.example/", "https://headroom.example/#", "#"] {
        let said = refused(&size(&["--link", link]));
        assert_all_in(
            &said,
            &["one problem", "--link: The address has no scenario behind a #.", "put it in quotes"],
        );
    }
    let said = refused(&size(&["--link", LINK, "--preset", "streams"]));
    assert_all_in(&said, &["--link: A link and a --preset are two beginnings. Choose one."]);
    let said = refused(&size(&["--link", LINK, "--scenario", "-"]));
    assert_all_in(&said, &["--link: A link and a --scenario are two beginnings."]);
}

#[test]
fn the_link_stands_in_every_output_with_the_address_of_the_page() {
    const BASE: &str = "https://headroom.example/tools/";
    let fragment = "#v=1&rps=500&p50=35";
    let address = format!("{BASE}{fragment}");
    let all =
        |format: &str, more: &[&str]| stdout(&size(&[&MINIMAL[..], &["--output", format], more].concat()));
    for (format, alone, with) in [
        ("yaml", format!("\n# {fragment}\n"), format!("\n# {address}\n")),
        ("alerts", format!("link: \"{fragment}\"\n"), format!("link: {address}\n")),
        ("markdown", format!("`{fragment}`"), format!("<{address}>")),
    ] {
        let (text, based) = (all(format, &[]), all(format, &["--base-url", BASE]));
        assert!(text.contains(&alone), "{alone} is not in:\n{text}");
        assert!(based.contains(&with), "{with} is not in:\n{based}");
    }
    for (more, link) in [(&[][..], fragment.to_owned()), (&["--base-url", BASE][..], address)] {
        let analysis = json(&size(&[&MINIMAL[..], &["--output", "json"], more].concat()));
        assert_eq!(analysis["link"], link);
    }
}

#[test]
fn an_address_that_is_none_is_refused() {
    for url in [
        "headroom.example",
        "https://",
        "javascript:alert(1)",
        "https://x/#a",
        "https://x/ y",
        "https://x/{{.}}",
    ] {
        let said = refused(&size(&[&MINIMAL[..], &["--base-url", url]].concat()));
        assert_all_in(
            &said,
            &["one problem", "--base-url: “", "is not the address of a page. Allowed: http:// or https://"],
        );
    }
    let long = format!("https://x/{}", "a".repeat(600));
    assert!(
        refused(&size(&[&MINIMAL[..], &["--base-url", &long]].concat())).contains("up to 500 characters")
    );
}
