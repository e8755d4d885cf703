// docs/embed.md
const inputs = "name protocol rps p50 p75 p90 p95 p99 p999 mean stream_mean stream_p99 clients workers hosts host_concurrency hosts_lost burst skew slowdown shed_target deadline_ms connect_ms idempotent error_rate retry_overhead high_priority_share upstream_keepalive_s retrying_hops envoy_version".split(" ");
const options = "panels lock hide theme accent".split(" ");

export class HeadroomCalculator extends HTMLElement {
  static observedAttributes = [...inputs, ...options, "src"];
  #frame; #page; #sent;

  #all() {
    const text = (n) => `&${n}=` + encodeURIComponent(this.getAttribute(n) || n === "idempotent" || "");
    const say = (names) => names.filter((n) => this.hasAttribute(n)).map(text).join("");
    const link = say(inputs);
    return ["embed" + say(options), link && "v=1" + link];
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
    try {
      this.#page = new URL("embed.html", new URL(src || import.meta.url, this.baseURI));
    } catch {
      return this.append((this.#frame = new Text(`Headroom: src ${src} is no address.`)));
    }
    [this.#page.search, this.#page.hash] = this.#sent = this.#all();
    const frame = (this.#frame = document.createElement("iframe"));
    this.style.display ||= "block";
    Object.assign(frame, { style: "display:block;width:100%;border:0", title: this.title || "Headroom", loading: "lazy", allow: "clipboard-write", src: this.#page });
    frame.sandbox = "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox";
    frame.style.height = (this.getAttribute("height") || (this.clientWidth < 568 ? 460 : 400)) + "px";
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
customElements.get("headroom-calculator") ?? customElements.define("headroom-calculator", HeadroomCalculator);
