// <headroom-calculator>: docs/embed.md
const inputs = "name protocol rps p50 p75 p90 p95 p99 p999 mean stream_mean stream_p99 clients workers hosts host_concurrency hosts_lost burst skew slowdown shed_target deadline_ms connect_ms idempotent error_rate retry_overhead high_priority_share upstream_keepalive_s retrying_hops envoy_version".split(" ");
const options = ["panels", "lock", "hide", "theme", "accent"];

export class HeadroomCalculator extends HTMLElement {
  static observedAttributes = [...inputs, ...options, "src"];
  #frame; #page; #sent;

  #say(start, names) {
    for (const name of names.filter((n) => this.hasAttribute(n)))
      start += `&${name}=` + encodeURIComponent(this.getAttribute(name) || (name === "idempotent" ? true : ""));
    return start;
  }
  #all() {
    const link = this.#say("v=1", inputs);
    return [this.#say("embed", options), link === "v=1" ? "" : link];
  }
  #post(type, more) {
    this.#frame.contentWindow.postMessage({ type: "headroom:" + type, ...more }, this.#page.origin);
  }
  handleEvent({ source, origin, data }) {
    if (source !== this.#frame.contentWindow || origin !== this.#page.origin) return;
    const { type, height, ...detail } = data;
    const name = type.slice(9);
    if (name === "ready") {
      this.#post("listen");
      this.ready = true;
      this.#sync();
    } else if (name === "height") this.#frame.style.height = height + "px";
    else this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
  #sync() {
    if (!this.ready) return;
    const [query, link] = this.#all();
    if (query !== this.#sent[0]) this.#post("options", { query });
    if (link !== this.#sent[1]) this.#post("set", { link });
    this.#sent = [query, link];
  }

  connectedCallback() {
    const src = this.getAttribute("src");
    const page = (this.#page = new URL("embed.html", src ? new URL(src, document.baseURI) : import.meta.url));
    [page.search, page.hash] = this.#sent = this.#all();
    const frame = (this.#frame = document.createElement("iframe"));
    this.style.display ||= "block";
    const height = (this.getAttribute("height") || (this.clientWidth < 568 ? 460 : 400)) + "px";
    Object.assign(frame.style, { display: "block", width: "100%", border: 0, height });
    Object.assign(frame, { title: this.title || "Headroom", loading: "lazy", allow: "clipboard-write", src: page });
    frame.sandbox = "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox";
    addEventListener("message", this);
    this.append(frame);
  }
  disconnectedCallback() {
    removeEventListener("message", this);
    this.#frame.remove();
    this.ready = false;
  }
  attributeChangedCallback(name) {
    if (!this.#frame?.isConnected) return;
    if (name !== "src") return queueMicrotask(() => this.#sync());
    this.disconnectedCallback();
    this.connectedCallback();
  }
}
const tag = "headroom-calculator";
customElements.get(tag) ?? customElements.define(tag, HeadroomCalculator);
