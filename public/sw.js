// Keeps the files of one build, so that the page works without a network. Nothing else is kept, and nothing is sent.
//
// `.ci/stamp` puts in the build and the hash of each file, those of the first paint first. All files are fetched and compared before the
// build counts: a deployment that is half done, a changed file, or a failing one leaves what was kept before as it is.
const { build, files } = { build: "", files: {} };

const scope = new URL("./", location);
// Other copies of the page may be on the same host, under other paths: the name says whose files these are.
const own = `headroom ${scope.pathname} `;
const hashes = new Map(Object.entries(files));

// Hosts write the address of a folder's page without its name, and may forward the other.
const addressOf = (path) => new URL(path.replace(/(^|\/)index\.html$/, "$1"), scope);

async function fill() {
  const cache = await caches.open(own + build);
  try {
    for (const [path, hash] of hashes) {
      const response = await fetch(addressOf(path), { cache: "no-cache" });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      const body = await response.arrayBuffer();
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
      if (btoa(String.fromCharCode(...digest)) !== hash) throw new Error(`${path} is not of this build`);
      // A new one, because an answer that was forwarded may not open a page.
      await cache.put(new URL(path, scope), new Response(body, { headers: response.headers }));
    }
  } catch (error) {
    await caches.delete(own + build);
    throw error;
  }
}

async function clear() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(own) && name !== own + build).map((name) => caches.delete(name)));
}

// Without files this is a page that is being worked on.
if (hashes.size) {
  addEventListener("install", (event) => event.waitUntil(fill()));
  addEventListener("activate", (event) => event.waitUntil(clear()));
}

addEventListener("message", (event) => {
  // Only when someone has asked for the new version.
  if (event.data === "start") event.waitUntil(self.skipWaiting());
  // The first visit: the page is of this build, so its later parts may come from here at once.
  else if (event.data?.build === build) event.waitUntil(self.clients.claim());
});

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== scope.origin || !pathname.startsWith(scope.pathname)) return;
  const name = pathname.slice(scope.pathname.length).replace(/(^|\/)$/, "$1index.html");
  if (hashes.has(name)) event.respondWith(kept(name, event.request));
});

async function kept(name, request) {
  const cache = await caches.open(own + build);
  return (await cache.match(new URL(name, scope))) ?? fetch(request);
}
