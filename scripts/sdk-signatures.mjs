/**
 * Writes every public signature of the SDK, with its doc comment, into docs/SDK.md, from the compiled declarations.
 * `node scripts/sdk-signatures.mjs` after `tsc -b protocol client`; a test fails when the page is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { inRoot } from './paths.mjs';
import { plainDeclarations, reachable } from './sdk-types.mjs';

const PAGE = inRoot('docs', 'SDK.md');
const BEGIN = '<!-- signatures: written by scripts/sdk-signatures.mjs -->\n';
const END = '<!-- end of signatures -->';
/** These come first; the others follow in alphabetical order. */
const FIRST = [
  'ChatClient',
  'ChatClientOptions',
  'Room',
  'RoomEvents',
  'RoomState',
  'ChatApi',
  'ApiError',
  'Session',
];

/** The public names, as the index exports them, with the file and the name of each declaration. */
function publicNames(index) {
  return [...index.matchAll(/export (?:type )?\{([^}]*)\} from '\.{1,2}\/([^']+)\.js'/g)].flatMap(
    ([, list, path]) =>
      list.split(',').flatMap((item) => {
        const [name, alias = name] = item
          .trim()
          .replace(/^type /, '')
          .split(' as ');
        return name === '' ? [] : [{ name, alias, path }];
      }),
  );
}

/** The declaration of `name` with its doc comment. Declarations stand at the left margin, one after the other. */
function declaration(text, name) {
  const start = new RegExp(`^export (?:declare )?(class|interface|type|const|function) ${name}\\b`, 'm').exec(
    text,
  );
  if (start === null) throw new Error(`no declaration of ${name}`);
  const end = ['class', 'interface'].includes(start[1]) ? '}' : ';';
  const comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n$/.exec(text.slice(0, start.index));
  const lines = [];
  for (const line of text.slice(start.index).split('\n')) {
    lines.push(line);
    const code = lines.join('\n').replace(/\/\*[\s\S]*?\*\//g, '');
    const depth = code.split(/[{(]/).length - code.split(/[})]/).length;
    if (depth === 0 && line.endsWith(end)) break;
  }
  const body = lines.join('\n').replace(/^export (?:declare )?/, '');
  return `${comment?.[0] ?? ''}${body}`.replace(/^ +#private;\n/m, '').replaceAll('    ', '  ');
}

/** `keyof typeof TABLE` as the names that it stands for. */
async function withNames(text, file) {
  const [whole, table] = /keyof typeof (\w+)/.exec(text) ?? [];
  if (whole === undefined) return text;
  const values = await import(inRoot('dist', file.replace(/\.d\.ts$/, '.js')));
  return text.replace(
    ` ${whole}`,
    Object.keys(values[table])
      .map((name) => `\n  | '${name}'`)
      .join(''),
  );
}

/** The section of docs/SDK.md, without its marks. */
export async function signatures() {
  const files = new Map();
  for (const file of reachable('client/index.d.ts')) files.set(file, await plainDeclarations(file));
  const index = files.get('client/index.d.ts');
  const rank = ({ alias }) => (FIRST.includes(alias) ? FIRST.indexOf(alias) : FIRST.length);
  const names = publicNames(index).sort((a, b) => rank(a) - rank(b) || a.alias.localeCompare(b.alias, 'en'));
  const sections = names.map(async ({ name, alias, path }) => {
    const file = [...files.keys()].find((one) => one.endsWith(`${path}.d.ts`));
    const text = declaration(files.get(file), name).replace(
      new RegExp(`\\b(type|class) ${name}\\b`),
      `$1 ${alias}`,
    );
    return `### ${alias}\n\n\`\`\`ts\n${await withNames(text, file)}\n\`\`\`\n`;
  });
  return (await Promise.all(sections)).join('\n');
}

/** docs/SDK.md as it is, and as it should be. */
export async function page() {
  const text = readFileSync(PAGE, 'utf8');
  const [head, rest] = text.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (tail === undefined) throw new Error('docs/SDK.md has no marks for the signatures');
  return { text, wanted: `${head}${BEGIN}\n${await signatures()}\n${END}${tail}` };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(PAGE, (await page()).wanted);
}
