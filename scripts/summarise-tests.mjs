/**
 * Sums up vitest's JSON reports at the end of a long log: each failed test with its error, each test that passed only
 * at its second try, the files that took the longest, then `N passed, N failed` (and `, N skipped`). Exits 1 when a
 * report is missing or empty.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Lines shown of an error: the difference between expected and actual, and the place. */
const LINES = 12;
/** Files that are listed by their time. */
const SLOWEST = 20;

const total = { passed: 0, failed: 0, skipped: 0 };
const times = [];
let complete = process.argv.length > 2;

function tell(what, file, test) {
  console.log(`${what}: ${relative('.', file.name)} > ${test.fullName}`);
  const lines = stripVTControlCharacters(test.failureMessages.join('\n')).split('\n');
  const shown = lines.filter((line) => !line.includes('/node_modules/')).slice(0, LINES);
  console.log(shown.map((line) => `    ${line}`).join('\n'));
}

function count(file) {
  times.push({ name: relative('.', file.name), seconds: (file.endTime - file.startTime) / 1000 });
  const { failed: before } = total;
  for (const test of file.assertionResults) {
    if (test.status === 'passed') {
      total.passed += 1;
      if (test.failureMessages.length > 0) tell('passed at its second try', file, test);
    } else if (test.status === 'failed') {
      total.failed += 1;
      tell('failed', file, test);
    } else {
      total.skipped += 1;
    }
  }
  // A file that could not be loaded has no tests; it counts as one failure.
  if (file.status === 'failed' && total.failed === before) {
    total.failed += 1;
    console.log(`failed: ${relative('.', file.name)}: ${file.message}`);
  }
}

for (const path of process.argv.slice(2)) {
  try {
    const { testResults } = JSON.parse(readFileSync(path, 'utf8'));
    // A pattern that matches no file must not look like success.
    if (testResults.length === 0) throw new Error('no test ran');
    testResults.forEach(count);
  } catch (error) {
    console.log(`${path}: ${error instanceof Error ? error.message : error}`);
    complete = false;
  }
}

console.log(`the ${SLOWEST} slowest files:`);
times.sort((a, b) => b.seconds - a.seconds);
for (const { name, seconds } of times.slice(0, SLOWEST))
  console.log(`${seconds.toFixed(0).padStart(5)} s  ${name}`);

const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = complete ? 0 : 1;
