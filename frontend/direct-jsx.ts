/** Makes every element cost less JavaScript. */
import type { Plugin } from 'vite';

const RUNTIME = 'react/jsx-runtime';
const DIRECT = '\0direct-jsx';

/** React's functions for elements are exports of CommonJS. As constants they are called without the object around. */
export function directJsx(): Plugin {
  return {
    name: 'roomful-direct-jsx',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^react\/jsx-runtime$/ },
      handler: (_source, importer) => (importer === DIRECT ? null : DIRECT),
    },
    load: {
      filter: { id: /direct-jsx$/ },
      handler: () => `import runtime from '${RUNTIME}'; export const { Fragment, jsx, jsxs } = runtime;`,
    },
  };
}
