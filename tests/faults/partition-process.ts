/** The process of the partition trial, in namespaces of its own: takes the options as JSON, prints the finding. */
import { partition } from './partition-trial.ts';

const [seed = '', options = ''] = process.argv.slice(2);
const finding = await partition(Number(seed), JSON.parse(options));
// Sockets and timers of the clients may be left. A long finding needs a moment to get through the pipe.
process.stdout.write(`${JSON.stringify(finding)}\n`, () => process.exit(0));
