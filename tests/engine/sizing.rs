//! Sizing against numbers that another program computed (`tests/vectors/sizing.json`: plain
//! recursions and sums in 40-digit arithmetic, no code in common with the engine).

use headroom::engine::analyze;
use headroom::engine::scenario::Scenario;
use serde_json::Value;

/// Shares are compared within 1e-4 relative, the rest within 1e-5: the bars of the JSON contract.
const SHARE_TOLERANCE: f64 = 1e-4;
const TOLERANCE: f64 = 1e-5;

#[test]
fn every_vector_is_met() {
    let text =
        std::fs::read_to_string("tests/vectors/sizing.json").expect("the vectors are in the repository");
    let cases: Vec<Value> = serde_json::from_str(&text).expect("the vectors are JSON");
    assert!(cases.len() >= 50, "{} cases", cases.len());
    let mut misses = Vec::new();
    for case in &cases {
        let scenario = Scenario::from_json(&case["scenario"].to_string())
            .unwrap_or_else(|problems| panic!("{}: {problems:?}", case["scenario"]));
        let analysis =
            analyze(&scenario).unwrap_or_else(|problems| panic!("{}: {problems:?}", case["scenario"]));
        let actual = serde_json::to_value(&analysis).expect("an analysis is plain data");
        let n_before = misses.len();
        compare("", &case["expected"], &actual, &mut misses);
        if misses.len() > n_before {
            misses.push(format!("  in {}", case["scenario"]));
        }
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

/// Every value of `expected` has its equal in `actual`; `actual` may say more.
fn compare(path: &str, expected: &Value, actual: &Value, misses: &mut Vec<String>) {
    match (expected, actual) {
        (Value::Object(fields), _) => {
            for (key, value) in fields {
                compare(&format!("{path}.{key}"), value, &actual[key], misses);
            }
        }
        (Value::Array(items), Value::Array(found)) if items.len() == found.len() => {
            for (at, (item, found)) in items.iter().zip(found).enumerate() {
                compare(&format!("{path}[{at}]"), item, found, misses);
            }
        }
        (Value::Number(expected), Value::Number(actual)) => {
            let (e, a) = (expected.as_f64().unwrap_or(f64::NAN), actual.as_f64().unwrap_or(f64::NAN));
            let tolerance = if path.contains("refused") { SHARE_TOLERANCE } else { TOLERANCE };
            // Shares below 1e-250 underflow to 0 in double precision.
            let is_near = (e - a).abs() <= tolerance * e.abs() || (e < 1e-250 && a < 1e-250);
            if !is_near {
                misses.push(format!("{path}: expected {e}, got {a}"));
            }
        }
        _ if expected == actual => {}
        _ => misses.push(format!("{path}: expected {expected}, got {actual}")),
    }
}
