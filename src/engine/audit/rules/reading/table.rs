//! The kinds of problems, each with its rule.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::read::config::ProblemKind as Kind;
use crate::engine::rules::RuleMeta;
use crate::engine::rules::Severity::{Error, Info, Warning};

const YAML: &str = "YAML 1.2.2; envoy: yaml-cpp and the JSON mapping of protobuf";
const MEASURED: &str = "measured on Envoy 1.40 in validate mode";
const JSON: &str = "protobuf: JSON mapping of proto3; measured on Envoy 1.40 in validate mode";
const READER: &str = "headroom: limits of the reader, in engine/read/source.rs";

/// The rules of this folder, sorted by code.
pub static RULES: &[&Rule] = &[
    &Rule {
        meta: RuleMeta {
            code: "HR901",
            name: "broken-text",
            severity: Error,
            summary: "the text is neither valid YAML nor valid JSON",
            rationale: "A text that no parser can read is refused by every program, and whatever stands behind the \
                        break may belong to something else. The list item around the break is left out, the rest is \
                        read and judged.",
            sources: &[YAML],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::Syntax)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR902",
            name: "tab-indent",
            severity: Error,
            summary: "a tab indents a line, which YAML does not allow",
            rationale: "Tabs and spaces look alike, and YAML forbids tabs in front of a line because their width is \
                        unknown. Parsers stop there, often with a message about something else.",
            sources: &["YAML 1.2.2, 6.1 Indentation Spaces"],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::Tab)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR903",
            name: "unrendered-template",
            severity: Warning,
            summary: "a template or a placeholder stands where a value belongs",
            rationale: "What a template renders to depends on values that are not in the text, so nothing true can be \
                        said about its limits. A run that says nothing about them would look like a run that found \
                        nothing.",
            sources: &["helm: template syntax; envsubst: placeholders"],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::Template)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR904",
            name: "limit-of-reader",
            severity: Warning,
            summary: "the input is larger or nests deeper than what is read",
            rationale: "Texts are read up to a size, a depth and a number of values, so that no input stops the page \
                        or the computer. What lies behind a limit is not judged, and that has to be said.",
            sources: &[READER],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::Limit)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR905",
            name: "nothing-to-judge",
            severity: Info,
            summary: "the text holds no cluster, no route and no policy",
            rationale: "A file may hold other things, which is fine, or be the wrong file, which is not: an audit of \
                        the wrong file finds nothing, and that looks like an audit of a good one.",
            sources: &["headroom: kinds of resources that are read, in engine/read"],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::NothingToRead)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR906",
            name: "duplicate-key",
            severity: Warning,
            summary: "a key stands twice in the same mapping, and one value is lost",
            rationale: "YAML forbids it and most parsers take it all the same: the last value counts. Who edits the \
                        first one later changes nothing and wonders why.",
            sources: &[YAML],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::DuplicateKey)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR907",
            name: "merge-key-refused",
            severity: Error,
            summary: "a merge key (`<<`) stands in a text that Envoy itself reads",
            rationale: "Merge keys are an extension of YAML 1.1 that Kubernetes tools resolve and Envoy's reader does \
                        not: it takes `<<` for the name of a field, which no message has.",
            sources: &[MEASURED],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::MergeKey)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR908",
            name: "unknown-anchor",
            severity: Error,
            summary: "an alias names an anchor that this document does not have",
            rationale: "Anchors hold within one document and only after they were written. An alias without one is an \
                        error of the whole text, usually the rest of a copy from another file.",
            sources: &["YAML 1.2.2, 7.1 Alias Nodes"],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::UnknownAnchor)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR909",
            name: "unknown-field",
            severity: Error,
            summary: "a field is not part of the message that it stands in",
            rationale: "Envoy refuses a message with a field it does not know. Kubernetes drops fields that the schema \
                        of the resource does not have, without a word unless validation is strict, and then the \
                        default is in force instead.",
            sources: &[JSON, "kubernetes: pruning of unknown fields of custom resources"],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::UnknownField { .. })),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR910",
            name: "misplaced-field",
            severity: Error,
            summary: "a field stands in a block that it does not belong to",
            rationale: "The name is right and the place is not, so it reads well in a review and has no effect, or \
                        the whole text is refused.",
            sources: &[JSON, "istio.io: reference of DestinationRule and VirtualService"],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::MisplacedField { .. })),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR911",
            name: "bad-duration",
            severity: Error,
            summary: "a duration is written in a form that the program does not read",
            rationale: "Envoy reads seconds with an `s` and nothing else: `0.25s`, not `250ms`. Istio reads durations \
                        as Go writes them, and the Gateway API whole numbers of at most five digits a unit.",
            sources: &[
                "protobuf: JSON mapping of Duration; measured on Envoy 1.40",
                "GEP-2257: Gateway API Duration",
            ],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::BadDuration)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR912",
            name: "bad-number",
            severity: Error,
            summary: "a number is written in a form that the program does not read",
            rationale: "Separators such as `1_024` or `1,024` are numbers to some parsers of YAML and texts to others. \
                        Envoy refuses them; what another program makes of them is not guessed here.",
            sources: &[JSON],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::BadNumber)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR913",
            name: "out-of-range",
            severity: Error,
            summary: "a number or a duration is outside of what its field takes",
            rationale: "Fields of the API have ranges of their own, percentages up to 100 and most limits up to 32 \
                        bits, and Envoy checks them before anything is put into force.",
            sources: &["envoy: validation rules of the v3 protos; measured on 1.40"],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::OutOfRange)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR914",
            name: "bad-truth-value",
            severity: Error,
            summary: "a switch is neither true nor false",
            rationale: "Envoy takes true and false, and the words of YAML 1.1 for them (yes, no, on, off); anything \
                        else is no value of a switch, and the text is refused.",
            sources: &[JSON],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::BadBool)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR915",
            name: "bad-word",
            severity: Error,
            summary: "a word is not one of those that its field knows",
            rationale: "Enumerations have a fixed list of words, in any case or by number. A word that is not in the \
                        list is an error of the whole text, never a default.",
            sources: &[JSON],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::BadEnum)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR916",
            name: "wrong-shape",
            severity: Error,
            summary: "a single value stands where a mapping belongs, or the reverse",
            rationale: "Some numbers of the API are messages: a percentage is `{value: 20}`. Schemas of Kubernetes \
                        tell numbers from texts in quotes. Either mistake is refused with a message about types.",
            sources: &[JSON, "kubernetes: structural schemas of custom resources"],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::WrongShape)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR917",
            name: "missing-field",
            severity: Error,
            summary: "a field is required here and missing",
            rationale: "Some blocks make sense only with one of their fields, such as a back-off with its base, and \
                        the API says so: without it the whole text is refused.",
            sources: &["envoy: validation rules of the v3 protos; measured on 1.40"],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::Missing)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR918",
            name: "conflicting-fields",
            severity: Error,
            summary: "two fields are set of which only one may be",
            rationale: "Alternatives of the API are a choice of one. Which of two would win cannot be known, so the \
                        text is refused; while it is judged here, the first one counts.",
            sources: &[JSON],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::Conflict)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR919",
            name: "deprecated-field",
            severity: Info,
            summary: "a field is deprecated and still works",
            rationale: "Deprecated fields are read for some releases and then refused, and a newer field beside them \
                        switches some of them off. Moving them now is cheaper than during an upgrade.",
            sources: &["envoy: deprecated fields of the v3 protos; istio.io: change notes"],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::Deprecated)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR920",
            name: "field-without-effect",
            severity: Warning,
            summary: "a field is accepted and has no effect, because another replaces it",
            rationale: "Nothing fails and nothing is logged, so the value looks as if it were in force: it is read in \
                        reviews and changed in incidents, and the proxy never looks at it.",
            sources: &["envoy: HttpProtocolOptions beside deprecated fields; measured on 1.40"],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::NoEffect)),
    },
    &Rule {
        meta: RuleMeta {
            code: "HR921",
            name: "unfinished-resource",
            severity: Warning,
            summary: "the text breaks off within a resource",
            rationale: "Half a cluster would be judged by the defaults of what was cut off, and the result would be \
                        wrong in both directions. So it is left out, or judged only where it is whole.",
            sources: &[READER],
        },
        check: Check::Problem(|kind| matches!(kind, Kind::Unfinished)),
    },
];
