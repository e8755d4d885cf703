// Starts the worker of the Audit view: its module says when it listens.
importScripts("headroom-audit.js");
wasm_bindgen({ module_or_path: new URL("headroom-audit_bg.wasm", self.location) });
