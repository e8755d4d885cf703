// Starts the worker of the Simulate view: its module says when it listens.
importScripts("headroom-simulate.js");
wasm_bindgen({ module_or_path: new URL("headroom-simulate_bg.wasm", self.location) });
