const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** "12 kB", "3.4 MB": of two figures at least. */
export function fileSize({ locale }: { readonly locale: string }, bytes: number): string {
  let unit = 0;
  let size = bytes;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && size < 9.95 ? 1 : 0;
  return `${size.toLocaleString(locale, { maximumFractionDigits: digits })} ${UNITS[unit]}`;
}
