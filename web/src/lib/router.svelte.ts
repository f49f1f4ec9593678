// Client-side routing: links change the path without loading the page again.

class Router {
  path = $state(location.pathname);
  query = $state.raw(new URLSearchParams(location.search));

  constructor() {
    addEventListener("popstate", () => this.read());
    document.addEventListener("click", (event) => this.follow(event));
  }

  go(address: string, { replaces = false } = {}): void {
    history[replaces ? "replaceState" : "pushState"](null, "", address);
    this.read();
    scrollTo(0, 0);
    // Screen readers continue at the top of the new page.
    queueMicrotask(() => document.getElementById("main")?.focus({ preventScroll: true }));
  }

  private read(): void {
    this.path = location.pathname;
    this.query = new URLSearchParams(location.search);
  }

  private follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = (event.target as Element | null)?.closest("a");
    if (!link?.href || link.target || link.hasAttribute("download")) return;
    const address = new URL(link.href);
    if (address.origin !== location.origin || address.pathname.startsWith("/api/")) return;
    if (address.hash && address.pathname === location.pathname) return;
    event.preventDefault();
    this.go(address.pathname + address.search);
  }
}

export const router = new Router();
