/** Prints `N passed, N failed` (and `, N skipped`) over vitest's JSON reports; exits 1 when one is missing or empty. */
import { readFileSync } from 'node:fs';

const total = { passed: 0, failed: 0, skipped: 0 };
let complete = process.argv.length > 2;

function count(report) {
  for (const file of report.testResults) {
    const states = file.assertionResults.map((test) => test.status);
    total.passed += states.filter((state) => state === 'passed').length;
    const failed = states.filter((state) => state === 'failed').length;
    total.skipped += states.filter((state) => state !== 'passed' && state !== 'failed').length;
    // A file that could not even be loaded has no tests to fail; it counts as one failure.
    total.failed += failed === 0 && file.status === 'failed' ? 1 : failed;
  }
  // A pattern that matches no file any more must not look like success.
  if (report.testResults.length === 0) throw new Error('no test ran');
}

for (const path of process.argv.slice(2)) {
  try {
    count(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    console.error(`${path}: ${error instanceof Error ? error.message : error}`);
    complete = false;
  }
}

const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = complete ? 0 : 1;
