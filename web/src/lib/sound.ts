// Small sounds, made here and not recorded: gravel under a shoe, a chime, petals in the wind.
// Silent unless somebody has switched them on.

import type { Step } from "$app/lib/board";
import { settings } from "$app/lib/settings.svelte";

let context: AudioContext | null = null;

function open(): AudioContext | null {
  if (!settings.sound || typeof AudioContext !== "function") return null;
  context ??= new AudioContext();
  // A browser lets nothing sound before somebody has touched the page.
  if (context.state === "suspended") void context.resume();
  return context;
}

/** A puff of noise through a band: *at* seconds from now, at most *loud*, gone after *long*. */
function puff(audio: AudioContext, at: number, { loud, long, pitch, width }: Record<"loud" | "long" | "pitch" | "width", number>): void {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * long), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < samples.length; n += 1) samples[n] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(audio, { buffer });
  const band = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: width });
  const gain = new GainNode(audio, { gain: 0 });
  const start = audio.currentTime + at;
  gain.gain.linearRampToValueAtTime(loud, start + long * 0.15);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + long);
  source.connect(band).connect(gain).connect(audio.destination);
  source.start(start);
}

function ring(audio: AudioContext, at: number, pitch: number): void {
  const start = audio.currentTime + at;
  for (const [overtone, loud] of [[1, 0.12], [2.76, 0.04], [5.4, 0.015]] as const) {
    const tone = new OscillatorNode(audio, { frequency: pitch * overtone });
    const gain = new GainNode(audio, { gain: 0 });
    gain.gain.setValueAtTime(loud, start);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + 1.4 / overtone);
    tone.connect(gain).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 1.5);
  }
}

/** Steps on gravel. */
export function gravel(steps = 2): void {
  const audio = open();
  if (!audio) return;
  for (let n = 0; n < Math.min(steps, 8); n += 1) puff(audio, n * 0.13, { loud: 0.16, long: 0.11, pitch: 1900 + 300 * (n % 2), width: 0.9 });
}

/** A chime: something good, or one's own turn. */
export function chime(): void {
  const audio = open();
  if (!audio) return;
  ring(audio, 0, 784);
  ring(audio, 0.14, 1175);
}

/** Petals in the wind: something new lies on the table. */
export function petals(): void {
  const audio = open();
  if (audio) puff(audio, 0, { loud: 0.05, long: 0.7, pitch: 3200, width: 0.5 });
}

export type Sound = "gravel" | "chime" | "petals";

/** What a step sounds like: a choice is a step on gravel, a draw stirs petals, points ring. */
export function hearStep(tokens: Step["tokens"], before: readonly number[], after: readonly number[]): Sound[] {
  const isChosen = tokens.some(({ token }) => token !== null && !token.startsWith("+"));
  const hasScored = after.some((points, seat) => points > (before[seat] ?? points));
  return [isChosen ? "gravel" : "petals", ...(hasScored ? (["chime"] as const) : [])];
}

/** Let a step be heard when it is shown. */
export function soundStep(...step: Parameters<typeof hearStep>): void {
  for (const sound of hearStep(...step)) SOUNDS[sound]();
}

const SOUNDS: Readonly<Record<Sound, () => void>> = { gravel: () => gravel(), chime, petals };
