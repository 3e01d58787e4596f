const MIB = 1024 * 1024;

/** A size as administrators set it: in MiB. */
export function mebibytes({ locale }: { readonly locale: string }, bytes: number): string {
  return `${(bytes / MIB).toLocaleString(locale, { maximumFractionDigits: 1 })} MiB`;
}
