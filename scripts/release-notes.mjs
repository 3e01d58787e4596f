/**
 * The notes of a release. npm runs this within `npm version`, before it commits: what CHANGELOG.md lists as unreleased
 * becomes the list of the new version, with the date of today, and the SDK gets the same version. With `--print`
 * instead, it prints the notes of the version in package.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { main, StepFailed } from './run.mjs';

const FILE = inRoot('CHANGELOG.md');
const UNRELEASED = '## Unreleased\n';

/** The text below a heading of the second level, up to the next one. */
function section(text, heading) {
  const from = text.indexOf(heading);
  if (from < 0) throw new StepFailed(`CHANGELOG.md has no line that begins with "${heading.trim()}".`);
  const body = text.slice(text.indexOf('\n', from) + 1);
  const next = body.search(/^## /m);
  return (next < 0 ? body : body.slice(0, next)).trim();
}

function beginVersion(text, version, date) {
  if (section(text, UNRELEASED) === '')
    throw new StepFailed('CHANGELOG.md lists nothing under "## Unreleased": say first what has changed.');
  return text.replace(UNRELEASED, `${UNRELEASED}\n## ${version} - ${date}\n`);
}

/** Changes a JSON file, written as npm writes it. */
function edit(path, change) {
  const content = JSON.parse(readFileSync(inRoot(path), 'utf8'));
  change(content);
  writeFileSync(inRoot(path), `${JSON.stringify(content, null, 2)}\n`);
}

await main(async () => {
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const text = readFileSync(FILE, 'utf8');
  if (process.argv.includes('--print')) return console.log(section(text, `## ${version} - `));
  writeFileSync(FILE, beginVersion(text, version, new Date().toISOString().slice(0, 10)));
  edit('client/package.json', (sdk) => Object.assign(sdk, { version }));
  edit('package-lock.json', ({ packages }) => Object.assign(packages.client, { version }));
});
