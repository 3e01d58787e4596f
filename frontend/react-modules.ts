/** Makes React a module, so that a build has only what the client uses of it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const fromHere = createRequire(import.meta.url);
const fromReactDom = createRequire(fromHere.resolve('react-dom'));
const fileOf = (entry: string, file: string) => join(dirname(entry), 'cjs', file);

/** What is imported, and the file of CommonJS that has it. */
const FILES = new Map([
  ['react', fileOf(fromHere.resolve('react'), 'react.production.js')],
  ['react/jsx-runtime', fileOf(fromHere.resolve('react'), 'react-jsx-runtime.production.js')],
  ['react-dom', fileOf(fromHere.resolve('react-dom'), 'react-dom.production.js')],
  ['react-dom/client', fileOf(fromHere.resolve('react-dom'), 'react-dom-client.production.js')],
  ['scheduler', fileOf(fromReactDom.resolve('scheduler'), 'scheduler.production.js')],
]);

/**
 * A bundler keeps all exports of a CommonJS file, as it cannot know which are used. React's files assign each export
 * once at their top level, and require each other there, so both can be written as those of a module.
 */
export function reactModules(): Plugin {
  return {
    name: 'roomful-react-modules',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^(?:react(?:-dom)?(?:\/[a-z-]+)?|scheduler)$/ },
      handler: (source) => FILES.get(source) ?? null,
    },
    load: {
      filter: { id: /\.production\.js$/ },
      handler: (id) => ([...FILES.values()].includes(id) ? toModule(readFileSync(id, 'utf8'), id) : null),
    },
    transform: {
      // A library that imports all of React as one object.
      filter: { code: /import \w+ from ['"]react['"]/ },
      handler: (code) => code.replace(/import (\w+) from (['"])react\2/, 'import * as $1 from $2react$2'),
    },
  };
}

/** @throws when the file does anything with its exports or requirements that is not understood */
function toModule(source: string, file: string): string {
  const imports: string[] = [];
  const names = new Set<string>();
  const body = source
    .replace(/^var (?:\w+ = require\("[^"]+"\)[,;]\s*)+/gm, (statement) => {
      for (const [, name, from] of statement.matchAll(/(\w+) = require\("([^"]+)"\)/g))
        imports.push(`import * as ${name} from '${from}';\n`);
      // The list may go on with variables of another kind.
      return statement.trimEnd().endsWith(',') ? 'var ' : '';
    })
    .replace(/^( *)exports\.(\w+) =/gm, (_all, indent: string, name: string) => {
      names.add(name);
      return `${indent === '' ? 'var ' : indent}export_${name} =`;
    })
    .replace(/\bexports\.(\w+)\b/g, 'export_$1');
  const isLeft = /\b(?:require\(|module\.exports|exports\b[.[])/.test(body);
  if (isLeft || names.size === 0) throw new Error(`react-modules: ${file} cannot be read as a module`);
  const list = [...names].map((name) => `export_${name} as ${name}`).join(', ');
  return `${imports.join('')}${body}\nexport { ${list} };\n`;
}
