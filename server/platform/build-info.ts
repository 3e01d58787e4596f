/** The version, and what the build recorded about itself. */
import { readFileSync } from 'node:fs';

export interface BuildInfo {
  version: string;
  gitCommit: string;
  buildTime: string;
}

/** Reads the package's own files; this module is compiled to `dist/server/platform/`. A missing value is `unknown`. */
export function readBuildInfo(): BuildInfo {
  const { version } = readJson('../../../package.json');
  const { git_commit: gitCommit, build_time: buildTime } = readJson('../../build-info.json');
  return {
    version: version ?? 'unknown',
    gitCommit: gitCommit ?? 'unknown',
    buildTime: buildTime ?? 'unknown',
  };
}

function readJson(path: string): Record<string, string | undefined> {
  try {
    return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
  } catch {
    return {};
  }
}
