/** Types of `embed.js`: `<headroom-calculator>`, Headroom in a page of your own. `docs/embed.md` explains it. */

/** A scenario with all inputs; names and units are those of the scenario JSON. */
export interface Scenario {
  name: string;
  protocol: "http1" | "http2" | "grpc" | "grpc_stream";
  rps: number;
  latency_ms?: Partial<Record<"p50" | "p75" | "p90" | "p95" | "p99" | "p999" | "mean", number>>;
  stream_duration_s?: { mean?: number; p99?: number };
  clients: number;
  workers: number;
  hosts: number;
  host_concurrency?: number;
  hosts_lost: number;
  burst: number;
  skew: number;
  slowdown: number;
  shed_target: number;
  deadline_ms?: number;
  connect_ms: number;
  idempotent: boolean;
  error_rate: number;
  retry_overhead: number;
  high_priority_share: number;
  upstream_keepalive_s?: number;
  retrying_hops: number;
  envoy_version: string;
}

/** The answer: the JSON of `headroom size --output json`. More keys than these may come; these keep their meaning. */
export interface Analysis {
  scenario: Scenario;
  latency: { mean_ms: number; mean_bounds_ms: [number, number | null] };
  load: { fleet_concurrency: number; client_rate: number; offered: number };
  window: { floor: number; recommended: number; ceiling: number | null; chosen: number };
  thresholds: {
    priority: "DEFAULT" | "HIGH";
    max_connections: number;
    max_pending_requests: number;
    max_requests: number;
    max_retries: number;
    retry_budget: { budget_percent: number; min_retry_concurrency: number };
    track_remaining: boolean;
  }[];
  forecast: { refused_at_peak: number; refused_at_slowdown: number; fleet_max_requests: number; stall_fill_ms: number | null };
  timeouts: Record<"connect_ms" | "route_ms" | "pool_idle_ms", number> & Record<"per_try_ms" | "deadline_ms" | "stream_idle_ms" | "max_stream_duration_ms", number | null>;
  retry: { retry_on: string[]; num_retries: number; backoff_base_ms: number; backoff_max_ms: number; amplification_cap: number };
  outlier: Record<string, unknown> | null;
  findings: { code: string; name: string; severity: "error" | "warning" | "info"; message: string; help: string; fields: string[] }[];
  numbers: { id: string; value: number | null; unit: string; label: "given" | "derived" | "assumption" | "rule" | "envoy-default"; formula: string; substituted: string; source: string }[];
}

/** What is wrong with an input that an attribute or a message has set. */
export interface Problem {
  field: string;
  value: string;
  message: string;
}

export interface HeadroomCalculatorEventMap extends HTMLElementEventMap {
  /** There is an answer to other inputs, from the person or from attributes. */
  change: CustomEvent<{ scenario: Scenario; analysis: Analysis }>;
  /** Attributes make no scenario: what was shown stays. */
  problems: CustomEvent<{ problems: Problem[] }>;
}

export class HeadroomCalculator extends HTMLElement {
  addEventListener<K extends keyof HeadroomCalculatorEventMap>(type: K, listener: (this: HeadroomCalculator, event: HeadroomCalculatorEventMap[K]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "headroom-calculator": HeadroomCalculator;
  }
}
