import { HALL_HUE, roomHue } from '../ui/hue.ts';

/** The colours of the browser's own bars, which cannot follow a custom property: the hallway at a hue, per theme. */
const HALL = {
  light: (hue: number) => `oklch(95.2% 0.019 ${hue})`,
  dark: (hue: number) => `oklch(15.5% 0.024 ${hue})`,
} as const;

/** Washes the window in the hue of a room; null: the user is in none. Direct conversations have no hue of their own. */
export function showWindowHue(
  room: { readonly id: number; readonly kind?: string; readonly hue?: string | null | undefined } | null,
): void {
  const hue = room === null || room.kind === 'dm' ? HALL_HUE : roomHue(room);
  document.documentElement.style.setProperty('--hue', String(hue));
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    meta.content = HALL[meta.dataset.theme === 'dark' ? 'dark' : 'light'](hue);
  }
}
