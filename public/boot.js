// Starts the page. The content security policy allows no inline script, so the build puts the two addresses into attributes.
const { js, wasm } = document.querySelector("script[data-wasm]").dataset;
try {
  const { default: start } = await import(new URL(js, document.baseURI));
  await start({ module_or_path: new URL(wasm, document.baseURI) });
} catch (error) {
  const state = document.querySelector("#page .hr-status span");
  if (state) state.textContent = "the inputs stay closed: this browser could not start the calculator";
  throw error;
}
