/** Runs the partition trial in network, mount and process namespaces, which end with it. */
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PartitionOptions } from './partition-trial.ts';
import type { Finding } from './trial.ts';

const SCRIPT = fileURLToPath(new URL('./partition-process.js', import.meta.url));
const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
/** `ip netns` keeps its names there, and sees none but ours. */
const PREPARE = 'mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns && ip link set lo up && exec "$@"';
/** Faults may be many. */
const OUTPUT_BYTES = 64 * 1024 * 1024;

/** Why the trial is left out, which is printed. */
export function whyNoNamespaces(): string | undefined {
  const args = [...NAMESPACES, 'ip', 'link', 'set', 'lo', 'up'];
  if (spawnSync('unshare', args).status === 0) return undefined;
  const reason = 'network namespaces need root and the program ip (Debian: iproute2)';
  console.info(`skipped: ${reason}`);
  return reason;
}

export async function partitionAgainAndAgain(seed: number, options: PartitionOptions): Promise<Finding> {
  const script = [process.execPath, SCRIPT, String(seed), JSON.stringify(options)];
  const { stdout } = await promisify(execFile)(
    'unshare',
    [...NAMESPACES, 'sh', '-c', PREPARE, 'sh', ...script],
    {
      maxBuffer: OUTPUT_BYTES,
    },
  );
  return JSON.parse(stdout) as Finding;
}
