import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Whether this user may make a folder that is not there: where the nearest one that is there can be written. */
export function mayMake(folder: string): boolean {
  let parent = dirname(resolve(folder));
  while (!existsSync(parent) && parent !== dirname(parent)) parent = dirname(parent);
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
    return statSync(parent).isDirectory();
  } catch {
    return false;
  }
}
