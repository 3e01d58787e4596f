/** Makes CSS modules cost less JavaScript. */
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import type { Plugin } from 'vite';

const DEFAULT_IMPORT = /^import (\w+) from ('[^']+\.module\.css');$/gm;

/**
 * Rewrites `import styles from './X.module.css'` to `import * as styles from …`: the bundler then makes each name a
 * constant, without an object around it, and leaves out those that no component uses.
 */
export function inlineClassNames(): Plugin {
  return {
    name: 'roomful-class-names',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?$/ },
      handler: (code) => ({ code: code.replace(DEFAULT_IMPORT, 'import * as $1 from $2;'), map: null }),
    },
  };
}

const named = new Map<string, string>();

/** The name of a class in the document: short, and the same in every build. */
export function className(local: string, file: string): string {
  const path = relative(import.meta.dirname, file.split('?')[0] ?? file);
  const name = `${local}-${createHash('sha256').update(path).digest('hex').slice(0, 4)}`;
  const other = named.get(name) ?? path;
  if (other !== path)
    throw new Error(`${path} and ${other} have the same class name ${name}: rename one file`);
  named.set(name, path);
  return name;
}
