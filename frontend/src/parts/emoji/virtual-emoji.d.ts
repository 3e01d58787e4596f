/** Made by frontend/emoji-data/plugin.ts. */
declare module 'virtual:emoji-en' {
  export const groups: readonly string[];
}

declare module 'virtual:emoji-zh' {
  export const groups: readonly string[];
}
