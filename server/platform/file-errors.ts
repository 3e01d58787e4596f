/** What the operating system says about a file, as sentences for the operator. */

const REFUSALS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not use it. Use the user of the server, or name another place',
  EPERM: 'this user may not change it. Use the user of the server, or name another place',
  ENOENT: 'it is not there. Check the name',
  ENOTDIR: 'a part of this path is a file. Name a folder',
  EISDIR: 'it is a folder. Name a file',
  ENOSPC: 'the disk is full. Make space',
  EDQUOT: 'the quota of this user is used up. Make space',
  EROFS: 'the file system is read-only. Name a place on another one',
  EXDEV: 'it is on another disk. Name a place on the same one',
};

/** The path, why the system refuses it, and what to do, as a sentence; undefined for an error of another kind. */
export function explainFileError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('path' in error)) return undefined;
  const refusal = REFUSALS['code' in error ? String(error.code) : ''];
  return refusal && `${error.path}: ${refusal}.`;
}
