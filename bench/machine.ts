/** Describes the machine, and assigns its cores. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, release, tmpdir, type } from 'node:os';
import { join } from 'node:path';
import { canPin } from './pinned-process.ts';
import { median } from './statistics.ts';

const SYNCS = 50;

export interface Machine {
  cpu: string;
  cores: number;
  system: string;
  node: string;
  /** The median time of an fdatasync of 4 KiB on the disk that holds the databases, in milliseconds. */
  syncMs: number;
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    system: `${type()} ${release()}`,
    node: process.version,
    syncMs: measureSync(),
  };
}

/** The cores of the server and of the load side, in the form of taskset; null when the system chooses. */
export interface Cores {
  server: string | null;
  load: string | null;
  /** All cores, for a measure in which the server may use as many as it can; null when the system chooses. */
  all: string | null;
  loadProcesses: number;
}

/** The server gets the first core, and the load side gets the others. */
export function assignCores(pin: boolean, loadProcesses: number | undefined): Cores {
  const others = cpus().length - 1;
  const isPinned = pin && canPin && others > 0;
  return {
    server: isPinned ? '0' : null,
    load: isPinned ? (others === 1 ? '1' : `1-${others}`) : null,
    all: isPinned ? `0-${others}` : null,
    loadProcesses: loadProcesses ?? Math.max(1, others),
  };
}

function measureSync(): number {
  const folder = mkdtempSync(join(tmpdir(), 'roomful-bench-'));
  const file = openSync(join(folder, 'sync'), 'w');
  const page = Buffer.alloc(4096);
  const times = Array.from({ length: SYNCS }, () => {
    writeSync(file, page);
    const from = performance.now();
    fdatasyncSync(file);
    return performance.now() - from;
  });
  closeSync(file);
  rmSync(folder, { recursive: true });
  return median(times);
}
