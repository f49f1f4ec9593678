// Synthesized sounds: gravel, a chime, petals. Off unless the user switches them on.

import type { Step } from "$app/lib/board";
import { settings } from "$app/lib/settings.svelte";

let context: AudioContext | null = null;

function openAudio(): AudioContext | null {
  if (!settings.current.sound || typeof AudioContext !== "function") return null;
  context ??= new AudioContext();
  // Browsers suspend audio until the user touches the page.
  if (context.state === "suspended") void context.resume();
  return context;
}

/** Play band-passed noise, *at* seconds from now. */
function playNoise(
  audio: AudioContext,
  at: number,
  { volume, duration, pitch, width }: Record<"volume" | "duration" | "pitch" | "width", number>,
): void {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * duration), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < samples.length; n += 1) samples[n] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(audio, { buffer });
  const band = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: width });
  const gain = new GainNode(audio, { gain: 0 });
  const start = audio.currentTime + at;
  gain.gain.linearRampToValueAtTime(volume, start + duration * 0.15);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + duration);
  source.connect(band).connect(gain).connect(audio.destination);
  source.start(start);
}

function playTone(audio: AudioContext, at: number, pitch: number): void {
  const start = audio.currentTime + at;
  for (const [overtone, volume] of [
    [1, 0.12],
    [2.76, 0.04],
    [5.4, 0.015],
  ] as const) {
    const tone = new OscillatorNode(audio, { frequency: pitch * overtone });
    const gain = new GainNode(audio, { gain: 0 });
    gain.gain.setValueAtTime(volume, start);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + 1.4 / overtone);
    tone.connect(gain).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 1.5);
  }
}

/** Play steps on gravel. */
export function gravel(steps = 2): void {
  const audio = openAudio();
  if (!audio) return;
  for (let n = 0; n < Math.min(steps, 8); n += 1)
    playNoise(audio, n * 0.13, { volume: 0.16, duration: 0.11, pitch: 1900 + 300 * (n % 2), width: 0.9 });
}

/** Play a chime: for points, or the player's turn. */
export function chime(): void {
  const audio = openAudio();
  if (!audio) return;
  playTone(audio, 0, 784);
  playTone(audio, 0.14, 1175);
}

/** Play petals in the wind: for a draw. */
export function petals(): void {
  const audio = openAudio();
  if (audio) playNoise(audio, 0, { volume: 0.05, duration: 0.7, pitch: 3200, width: 0.5 });
}

export type Sound = "gravel" | "chime" | "petals";

/** Choose the sounds of a step: gravel for a choice, petals for a draw, a chime for points. */
export function soundsOf(tokens: Step["tokens"], before: readonly number[], after: readonly number[]): Sound[] {
  const isChosen = tokens.some(({ token }) => token !== null && !token.startsWith("+"));
  const hasScored = after.some((points, seat) => points > (before[seat] ?? points));
  return [isChosen ? "gravel" : "petals", ...(hasScored ? (["chime"] as const) : [])];
}

export function playStepSounds(...step: Parameters<typeof soundsOf>): void {
  for (const sound of soundsOf(...step)) SOUNDS[sound]();
}

const SOUNDS: Readonly<Record<Sound, () => void>> = { gravel: () => gravel(), chime, petals };
