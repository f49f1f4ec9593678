import "$app/styles/base.css";
import { mount } from "svelte";
import App from "$app/App.svelte";
import { facts } from "$app/lib/facts.svelte";
import { settings } from "$app/lib/settings.svelte";
import { isLanguage, speech } from "$app/lib/words.svelte";

settings.apply();
await speech.speak(isLanguage(facts.language) ? facts.language : "en");
mount(App, { target: document.getElementById("app")! });

// Only over HTTPS or at home does a browser let an app look after itself.
if ("serviceWorker" in navigator && isSecureContext) void navigator.serviceWorker.register("/worker.js");
