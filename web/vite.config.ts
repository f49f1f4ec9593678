import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));
const games = fileURLToPath(new URL("../src/pleasance/games", import.meta.url));
const package_ = fileURLToPath(new URL("../src/pleasance", import.meta.url));

/** Boards live with their games, outside this folder; the packages they use are found here. */
function packagesOfBoards(): Plugin {
  return {
    name: "packages-of-boards",
    enforce: "pre",
    async resolveId(source, importer, options) {
      if (!importer?.startsWith(games) || /^[./$\0]/.test(source)) return null;
      return this.resolve(source, `${here}src/main.ts`, { ...options, skipSelf: true });
    },
  };
}

/** Of the catalogs only what is shown in a browser travels: no errors, which the server words. */
function wordsForBrowsers(): Plugin {
  const isShown = (file: string, key: string): boolean =>
    file.includes("/server/catalogs/") ? key.startsWith("page.") : !key.startsWith("error.");
  return {
    name: "words-for-browsers",
    enforce: "pre",
    transform(code, id) {
      if (!/\/(words|messages)\/[a-z]{2}\.json$/.test(id)) return null;
      const all = Object.entries(JSON.parse(code) as Record<string, string>);
      const shown = all.filter(([key]) => isShown(id, key));
      return { code: JSON.stringify(Object.fromEntries(shown)), map: null };
    },
  };
}

export default defineConfig({
  root: here,
  base: "/page/",
  plugins: [packagesOfBoards(), wordsForBrowsers(), svelte()],
  resolve: { alias: { $app: `${here}src`, $package: package_ } },
  server: { fs: { strict: false } }, // only tests run from here; boards and their tests live outside this folder
  build: {
    outDir: `${package_}/server/page/dist`,
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the policy of the server lets nothing run or load that is inlined
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false, bundlerTimings: false } },
  },
  test: { environment: "happy-dom", include: ["src/**/*.test.ts", `${games}/*/web/**/*.test.ts`] },
} as Parameters<typeof defineConfig>[0]);
