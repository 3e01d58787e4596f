/** What is read of the answers of S3. They are flat lists of elements with short texts. */

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

/** The text of the first element of this name; undefined: there is none. */
export function textIn(xml: string, element: string): string | undefined {
  const found = new RegExp(`<${element}(?: [^>]*)?>([^<]*)</${element}>`).exec(xml)?.[1];
  return found?.replace(/&(?:#([0-9]+)|([a-z]+));/g, (whole, code: string | undefined, name: string) =>
    code === undefined ? (ENTITIES[name] ?? whole) : String.fromCodePoint(Number(code)),
  );
}

/** What is within each element of this name. */
export function elementsIn(xml: string, element: string): string[] {
  return Array.from(
    xml.matchAll(new RegExp(`<${element}(?: [^>]*)?>(.*?)</${element}>`, 'gs')),
    ([, inner = '']) => inner,
  );
}
