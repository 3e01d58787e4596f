import type { Frame } from '../connection/frames.ts';

/** The size of the largest file, and how many a message has at most. Zero: the server takes no files. */
export interface FileLimits {
  readonly fileBytes: number;
  readonly files: number;
}

export function fileLimitsOf({ limits: { file_bytes = 0, files = 0 } }: Frame<'hello'>): FileLimits {
  return { fileBytes: files === 0 ? 0 : file_bytes, files: file_bytes === 0 ? 0 : files };
}
