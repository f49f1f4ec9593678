import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

const types = { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname, extraFileExtensions: [".svelte"] };

export default ts.config(
    { ignores: ["**/node_modules/**", "web/src/wire.ts"] },
    { linterOptions: { reportUnusedDisableDirectives: "error" } },
    js.configs.recommended,
    {
        files: ["**/*.ts", "**/*.svelte"],
        extends: [ts.configs.recommendedTypeChecked],
        languageOptions: { parserOptions: types },
        rules: {
            "no-undef": "off", // tsc finds unknown names
            "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_" }],
            "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
            "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
        },
    },
    { files: ["web/*.ts"], extends: [ts.configs.disableTypeChecked] }, // outside tsconfig.json
    ...svelte.configs.recommended, // after the others: it brings the parser for *.svelte
    {
        files: ["**/*.svelte", "**/*.svelte.ts"],
        languageOptions: { parserOptions: { ...types, parser: ts.parser, svelteConfig } },
        rules: {
            "prefer-const": "off", // svelte/prefer-const knows $props
            "svelte/prefer-const": "error",
            // To the linter components are `any`, and so are callbacks given to them; svelte-check knows their types.
            "@typescript-eslint/no-unsafe-argument": "off",
            "@typescript-eslint/no-unsafe-assignment": "off",
            "@typescript-eslint/no-unsafe-call": "off",
            "@typescript-eslint/no-unsafe-member-access": "off",
            "@typescript-eslint/no-unsafe-return": "off",
            "svelte/no-useless-mustaches": "off", // {" "} keeps a space that would be trimmed
            "svelte/prefer-svelte-reactivity": "off", // local maps, sets and dates live for one call
        },
    },
    {
        files: ["web/public/*.js"],
        languageOptions: {
            globals: { self: "readonly", caches: "readonly", fetch: "readonly", location: "readonly", URL: "readonly" },
        },
    },
);
