/** Scenes become lines of people. */
import { firstName } from './people.ts';
import type { Random } from './random.ts';
import type { Scene } from './scenes/scene.ts';
import { VOCABULARY } from './vocabulary.ts';

export interface SpokenLine {
  readonly who: string;
  readonly content: string;
}

/** The scene as these people would play it; they take its parts in turn. */
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

/** How many people a scene needs. */
export function partsOf(scene: Scene): number {
  return new Set(scene.map((line) => line.slice(0, 1))).size;
}

function speaker(letter: string, cast: readonly string[]): string {
  const who = cast[(letter.charCodeAt(0) - 'a'.charCodeAt(0)) % cast.length];
  if (who === undefined) throw new Error('a scene needs somebody to play it');
  return who;
}

/** A sentence may begin with a word of the vocabulary; code, links and lists do not begin with a small letter here. */
function capitalized(text: string): string {
  return /^[a-z]/.test(text) && !/^(brb|back|https?:.*)$/.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;
}
