/** Programs that tests use and a machine may lack. */
import { spawnSync } from 'node:child_process';

/**
 * Why tests of a program are left out, which is printed. In CI nothing is left out, so that a missing program fails
 * there.
 * @param debianPackage the Debian package that has it
 */
export function whyNotInstalled(program: string, debianPackage = program): string | undefined {
  // Each program answers this in some way; only one that is not there cannot be started.
  if (process.env.CI !== undefined || spawnSync(program, ['--version']).error === undefined) return undefined;
  const reason = `${program} is not installed (Debian: ${debianPackage})`;
  console.info(`skipped: ${reason}`);
  return reason;
}
