/** Lets calls on one file of the database fail under a running appender, and checks what it had promised. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ack, expectKept, withStore } from './storage-acks.ts';
import { setScene } from './storage-messages.ts';
import { AppenderProcess } from './storage-process.ts';
import { type Fault, tracer } from './storage-trace.ts';

const IN_FLIGHT = 40;
const ACKS_AFTERWARDS = 100;
/** Enough for some checkpoints. */
const ACKS_GOING_ON = 4000;

export interface DiskErrorRun {
  fault: Omit<Fault, 'file'> & { file: 'roomful.db' | 'roomful.db-wal' };
  /**
   * `ends`: the fate of a commit is unknown, so the process goes. `refuses`: it says so and goes on by itself.
   * `does not start`: the call is one of those that open the database.
   */
  reaction: 'ends' | 'refuses' | 'goes on' | 'does not start';
}

export interface DiskErrorReport {
  /** Acked before the process ended, or all in all. */
  acked: number;
  refused: number;
  /** How many calls failed. */
  injected: number;
}

/** Throws unless the process reacts as expected, all acks are kept, and the next process works. */
export async function appendUnder({ fault, reaction }: DiskErrorRun): Promise<DiskErrorReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomful-disk-'));
  // Made on a healthy disk, so that every fault hits a commit or a checkpoint.
  await withStore(dataDir, setScene);
  const trace = join(dataDir, 'trace');
  const under = tracer({ ...fault, file: join(dataDir, fault.file) }, trace);
  const appender = new AppenderProcess({ dataDir, life: 1, inFlight: IN_FLIGHT, under });
  try {
    await expectReaction(appender, reaction);
  } finally {
    await appender.kill();
  }
  const { acks, refused } = appender;
  await expectKept(dataDir, [...acks, ...(await healthyLife(dataDir))]);
  const injected = (await readFile(trace, 'utf8')).split('(INJECTED)').length - 1;
  assert(injected > 0, 'nothing failed');
  await rm(dataDir, { recursive: true });
  return { acked: acks.length, refused, injected };
}

async function expectReaction(appender: AppenderProcess, reaction: DiskErrorRun['reaction']): Promise<void> {
  switch (reaction) {
    case 'ends': {
      const { code } = await appender.end();
      assert.equal(code, 1);
      assert.match(appender.fatal ?? '', /^a commit's fate is unknown: SQLITE_IOERR\w*: disk I\/O error$/);
      assert.equal(appender.refused, 0, 'refused what may be stored');
      return;
    }
    case 'does not start': {
      const { code } = await appender.end();
      assert.equal(code, 1);
      assert.match(
        appender.fatal ?? '',
        /^The database in \S+ cannot be opened: SQLITE_IOERR\w*: disk I\/O error$/,
      );
      assert.equal(appender.acks.length + appender.refused, 0);
      return;
    }
    case 'refuses': {
      await appender.reaches({ refused: 1 });
      await appender.reaches({ acks: appender.acks.length + ACKS_AFTERWARDS });
      return;
    }
    case 'goes on': {
      await appender.reaches({ acks: ACKS_GOING_ON });
      assert.equal(appender.refused, 0);
      return;
    }
  }
}

async function healthyLife(dataDir: string): Promise<Ack[]> {
  const appender = new AppenderProcess({ dataDir, life: 2, inFlight: IN_FLIGHT });
  try {
    await appender.reaches({ acks: ACKS_AFTERWARDS });
  } finally {
    await appender.kill();
  }
  return appender.acks;
}
