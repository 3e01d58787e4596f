/** In this order: most browsers name others, too. */
const BROWSERS = [
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /Safari\//],
] as const;

const SYSTEMS = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
] as const;

/** "Firefox, Windows": what a `User-Agent` says, as far as people know it; null when it says nothing known. */
export function browserOf(agent: string): string | null {
  const found = [BROWSERS, SYSTEMS].flatMap((list) => list.find(([, mark]) => mark.test(agent))?.[0] ?? []);
  return found.length === 0 ? null : found.join(', ');
}
