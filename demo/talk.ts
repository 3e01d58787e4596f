/** Turns scenes into lines with authors. */
import { firstName } from './people.ts';
import type { Random } from './random.ts';
import type { Scene } from './scenes/scene.ts';
import { VOCABULARY } from './vocabulary.ts';

export interface SpokenLine {
  readonly who: string;
  readonly content: string;
}

/** The scene as these people play it; they take its parts in turn. */
export function play(scene: Scene, cast: readonly string[], random: Random): SpokenLine[] {
  const words = new Map<string, string>();
  function fill(word: string): string {
    const part = /^[A-D]$/.test(word) ? speaker(word.toLowerCase(), cast) : undefined;
    if (part !== undefined) return firstName(part);
    const chosen = words.get(word) ?? random.pick(VOCABULARY[word] ?? [word]);
    words.set(word, chosen);
    return chosen;
  }
  return scene.map((line) => ({
    who: speaker(line.slice(0, 1), cast),
    content: capitalized(line.slice(2).replace(/\{([\p{L}\d]+)\}/gu, (_, word: string) => fill(word))),
  }));
}

/** The number of people that a scene needs. */
export function partsOf(scene: Scene): number {
  return new Set(scene.map((line) => line.slice(0, 1))).size;
}

function speaker(letter: string, cast: readonly string[]): string {
  const who = cast[(letter.charCodeAt(0) - 'a'.charCodeAt(0)) % cast.length];
  if (who === undefined) throw new Error('a scene needs somebody to play it');
  return who;
}

/** Capitalises a sentence that begins with a word of the vocabulary. Here no code, link or list begins with one. */
function capitalized(text: string): string {
  return /^[a-z]/.test(text) && !/^(brb|back|https?:.*)$/.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;
}
