/**
 * A short conversation. Each line begins with its speaker's letter. `{words}` are filled from the vocabulary, and a
 * word keeps its value throughout the scene. `{A}` is the first name of speaker `a`.
 */
export type Scene = readonly `${Lowercase<string>} ${string}`[];
