// Keeps the app at hand: what is named by its content comes from the cache, the way in from the
// network as long as there is one. Games themselves are never kept here.
const KEPT = "pleasance-1";

self.addEventListener("install", (event) => {
    event.waitUntil(
        caches
            .open(KEPT)
            .then((cache) => cache.add("/"))
            .then(() => self.skipWaiting()),
    );
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const { pathname, origin } = new URL(request.url);
    if (request.method !== "GET" || origin !== location.origin) return;
    if (pathname.startsWith("/page/assets/")) event.respondWith(fromCache(request));
    else if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match("/")));
});

async function fromCache(request) {
    const cache = await caches.open(KEPT);
    const kept = await cache.match(request);
    if (kept) return kept;
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
}
