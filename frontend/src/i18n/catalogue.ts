import { type Catalogue, en } from './en.ts';

/** Every language that the client speaks, by its tag. */
const catalogues: Readonly<Record<string, Catalogue>> = { en };

function chooseCatalogue(wanted: readonly string[]): Catalogue {
  for (const tag of wanted) {
    const catalogue = catalogues[tag] ?? catalogues[tag.split('-')[0] ?? ''];
    if (catalogue !== undefined) return catalogue;
  }
  return en;
}

const chosen = chooseCatalogue(globalThis.navigator?.languages ?? []);

/** The catalogue of the user's language. */
export function useText(): Catalogue {
  return chosen;
}
