/** Compares the server processes of one PostgreSQL database, by what each says of itself there. */
import type { LiveProcess } from '../../../data/storage/postgres/processes.ts';
import { type Check, ok, problem, warning } from './check.ts';

const CLOCK_OFF_MS = 1000;

/** `secretId`: the name of the secret in the doctor's own settings; `timeline`: that of the primary. */
export function checkProcesses(
  processes: readonly LiveProcess[],
  { secretId, timeline }: { secretId: string; timeline: number },
): Check[] {
  if (processes.length === 0) return [ok('processes', 'None runs on this database.')];
  return [
    ok('processes', `${processes.length} on this database: ${namesOf(processes)}.`),
    checkSecrets(processes, secretId),
    checkBuilds(processes),
    checkTimelines(processes, timeline),
    checkClocks(processes),
  ];
}

function checkSecrets(processes: readonly LiveProcess[], ownId: string): Check {
  const name = 'secret of processes';
  const groups = groupsOf(processes, ({ secretId }) => secretId);
  if (groups.length > 1) {
    const told = groups.map(([, group]) => namesOf(group)).join('; another one in ');
    return problem(
      name,
      `JWT_SECRET differs: one in ${told}. Give all of them the same one, and restart those that had another.`,
    );
  }
  return groups[0]?.[0] === ownId
    ? ok(name, 'JWT_SECRET is the same in all of them, and in these settings.')
    : problem(name, 'JWT_SECRET is the same in all of them, and another in these settings. Correct it here.');
}

function checkBuilds(processes: readonly LiveProcess[]): Check {
  const name = 'build of processes';
  const groups = groupsOf(processes, ({ build }) => build);
  if (groups.length === 1) return ok(name, `All are ${groups[0]?.[0]}.`);
  return warning(name, `It differs: ${listOf(groups)}. Complete the update.`);
}

function checkTimelines(processes: readonly LiveProcess[], timeline: number): Check {
  const name = 'timeline of processes';
  const groups = groupsOf(processes, (each) => String(each.timeline));
  if (groups.length === 1 && groups[0]?.[0] === String(timeline))
    return ok(name, `All use PostgreSQL on timeline ${timeline}.`);
  return problem(
    name,
    `PostgreSQL is on timeline ${timeline}, and the processes are on ${listOf(groups)}. Look again in a minute. If it ` +
      'stays, stop the old primary, and restart the processes on the lower timeline.',
  );
}

function checkClocks(processes: readonly LiveProcess[]): Check {
  const name = 'clock of processes';
  const off = processes.filter(({ clockOffsetMs }) => Math.abs(clockOffsetMs) > CLOCK_OFF_MS);
  if (off.length === 0) return ok(name, 'All are within 1 s of PostgreSQL.');
  const told = off.map((each) => `${each.process} by ${(Math.abs(each.clockOffsetMs) / 1000).toFixed(1)} s`);
  return warning(name, `Off that of PostgreSQL: ${told.join(', ')}. Run a time service on these machines.`);
}

type Group = readonly [value: string, processes: readonly LiveProcess[]];

function groupsOf(processes: readonly LiveProcess[], partOf: (each: LiveProcess) => string): Group[] {
  const values = [...new Set(processes.map(partOf))].sort();
  return values.map((value) => [value, processes.filter((each) => partOf(each) === value)]);
}

function listOf(groups: readonly Group[]): string {
  return groups.map(([value, group]) => `${value} (${namesOf(group)})`).join('; ');
}

function namesOf(processes: readonly LiveProcess[]): string {
  return processes.map(({ process }) => process).join(', ');
}
