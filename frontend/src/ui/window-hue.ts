/** The colours of the browser's own bars, which cannot follow a custom property: the hallway at a hue, per theme. */
const HALL = {
  light: (hue: number) => `oklch(95.2% 0.019 ${hue})`,
  dark: (hue: number) => `oklch(15.5% 0.024 ${hue})`,
} as const;

/** Washes the window in a hue, in degrees. */
export function washWindow(hue: number): void {
  document.documentElement.style.setProperty('--hue', String(hue));
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    meta.content = HALL[meta.dataset.theme === 'dark' ? 'dark' : 'light'](hue);
  }
}
