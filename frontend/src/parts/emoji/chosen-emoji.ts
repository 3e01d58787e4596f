/** The emoji that the user picked last, and the skin tone, on this device. Forgotten when the user signs out. */
import { localStore } from '../../stores/device.ts';
import { TONES, type Tone } from './skin-tone.ts';

/** Two rows of the picker. */
const RECENT_MAX = 18;

/** The emoji that were picked last, the latest first. */
export function recentEmoji(userId: number): readonly string[] {
  return (localStore.getItem(recentKey(userId)) ?? '').split(' ').filter((emoji) => emoji !== '');
}

export function rememberEmoji(userId: number, emoji: string): void {
  const others = recentEmoji(userId).filter((known) => known !== emoji);
  localStore.setItem(recentKey(userId), [emoji, ...others].slice(0, RECENT_MAX).join(' '));
}

export function chosenTone(userId: number): Tone {
  const stored = Number(localStore.getItem(toneKey(userId)));
  return TONES.find((tone) => tone === stored) ?? 0;
}

export function chooseTone(userId: number, tone: Tone): void {
  localStore.setItem(toneKey(userId), String(tone));
}

function recentKey(userId: number): string {
  return `chat_emoji:${userId}`;
}

function toneKey(userId: number): string {
  return `chat_tone:${userId}`;
}
