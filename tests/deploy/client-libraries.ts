/** The libraries whose code or data is in the built client. A test compares them with what the build has put there. */
export const CLIENT_LIBRARIES: readonly string[] = [
  '@fontsource-variable/inter',
  'diff',
  'emojibase-data',
  'fuzzysort',
  'highlight.js',
  'lowlight',
  'react',
  'react-dom',
  'scheduler',
  'thumbhash',
  'zustand',
];
