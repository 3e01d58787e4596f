import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { className, inlineClassNames } from './css-modules.ts';
import { emojiData } from './emoji-data/plugin.ts';
import { minifyTwice } from './minify-twice.ts';
import { reactModules } from './react-modules.ts';
import { serviceWorker } from './service-worker/plugin.ts';

const server = 'http://localhost:8080';
const proxied = ['/api', '/files', '/health', '/healthz', '/ready', '/version'];

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [inlineClassNames(), reactModules(), react(), emojiData(), minifyTwice(), serviceWorker()],
  css: { modules: { generateScopedName: className } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Every copy of the client must contain the licences of its libraries. public/licences has those of libraries that
    // the build does not see.
    license: { fileName: 'licences/libraries.txt' },
    target: 'baseline-widely-available',
    // The content security policy allows no data: URLs, and every supported browser preloads modules by itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // React asks for two exports of its scheduler that only development has. TypeScript checks our own imports.
      checks: { importIsUndefined: false },
      output: {
        codeSplitting: {
          groups: [
            {
              // Everything that the first paint needs is one chunk: it compresses better than the chunks that lazy
              // parts share with it would. Only the entry stays out: it waits for the language, and no other part waits
              // for it.
              name: 'initial',
              tags: ['$initial'],
              test: (id) => !/(?:main\.tsx|index\.html)$/.test(id),
            },
            {
              // What reads a message loads beside the start, and nothing else with it.
              name: 'markdown',
              test: /\/(?:protocol\/(?:markdown\/|mentions|excerpt)|markdown\/(?:late-parts|mark-mentions))/,
            },
            {
              // What several lazy parts share is one chunk, too: the first chunk contains the name of every other.
              // Without what only the switcher needs, and what the first message does.
              name: 'shared',
              test: (id) => !/\/node_modules\/|\/(?:switcher-items|room-index)\.ts$/.test(id),
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    proxy: {
      ...Object.fromEntries(proxied.map((path) => [`^${path}(/|$|\\?)`, server])),
      '^/ws(\\?|$)': { target: server, ws: true },
    },
  },
});
