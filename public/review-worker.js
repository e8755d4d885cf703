// Starts the worker of the Review view: its module says when it listens.
importScripts("headroom-review.js");
wasm_bindgen({ module_or_path: new URL("headroom-review_bg.wasm", self.location) });
