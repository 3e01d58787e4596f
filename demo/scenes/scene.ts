/**
 * A short conversation: each line begins with its speaker's letter, and `{words}` are filled from the vocabulary, the same
 * word by the same value throughout the scene. `{A}` is the first name of speaker `a`.
 */
export type Scene = readonly `${Lowercase<string>} ${string}`[];
