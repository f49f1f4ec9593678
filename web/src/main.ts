import "$app/styles/base.css";
import "$app/styles/rows.css";
import { mount } from "svelte";
import App from "$app/App.svelte";
import { pageData } from "$app/lib/pageData.svelte";
import { settings } from "$app/lib/settings.svelte";
import { isLanguage, i18n } from "$app/lib/i18n.svelte";

settings.apply();
await i18n.setLanguage(isLanguage(pageData.language) ? pageData.language : "en");
mount(App, { target: document.getElementById("app")! });

// Browsers allow service workers only over HTTPS or on localhost.
if ("serviceWorker" in navigator && isSecureContext) void navigator.serviceWorker.register("/worker.js");
