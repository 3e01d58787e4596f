import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { serviceWorker } from './service-worker/plugin.ts';

const server = 'http://localhost:8080';
const proxied = ['/api', '/health', '/healthz', '/ready', '/version'];

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), serviceWorker()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // The content security policy allows no data: addresses, and every browser that we support preloads by itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      ...Object.fromEntries(proxied.map((path) => [`^${path}(/|$|\\?)`, server])),
      '^/ws(\\?|$)': { target: server, ws: true },
    },
  },
});
