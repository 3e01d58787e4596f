/** What is known of a file, and how a message shows it. */
import type { AttachedFile } from '../../protocol/attached-files.ts';
import type { MessageExtra } from '../../protocol/events.ts';
import type { FileKind } from '../../protocol/media/kinds.ts';
import type { UploadedFile } from '../../protocol/rest/files.ts';
import type { TextFacts } from './rows.ts';

/** What is known besides the columns of its row: `info`, as JSON. */
export interface FileInfo {
  alt?: string;
  blur?: string;
  /** By its bytes; known once it is ready. Whether it may be shown where it is depends on that alone. */
  kind?: FileKind;
  width?: number;
  height?: number;
  /** Pictures of an animation, when there are more than one. */
  frames?: number;
  duration_ms?: number;
  /** Why it was refused. */
  reason?: NonNullable<UploadedFile['reason']>;
}

interface StoredFile {
  key: string;
  ofKey: string | null;
  name: string;
  type: string;
  size: number;
  info: string;
  state: string;
}

/** The longest side of a small picture. */
const PREVIEW_SIDE_MAX = 2048;
const PREVIEW_KINDS: ReadonlySet<FileKind | undefined> = new Set(['jpeg', 'png', 'webp']);
/** How much the sides of a small picture may differ from those of its file: they are whole numbers. */
const ROUNDED = 2;

export function infoOf({ info }: Pick<StoredFile, 'info'>): FileInfo {
  return JSON.parse(info) as FileInfo;
}

/** What the sender has said stays; the rest is what was found. */
export function withFound(stored: string, found: string): string {
  const { alt, blur } = infoOf({ info: stored });
  return JSON.stringify({ ...infoOf({ info: found }), alt, blur });
}

/** `info` with another `alt`; an empty one is none. */
export function withAlt(stored: string, alt: string): string {
  return JSON.stringify({ ...infoOf({ info: stored }), alt: alt === '' ? undefined : alt });
}

/** The files of a message in this order, each with its small picture. Keys without a row are left out. */
export function attachedFiles(keys: readonly string[], rows: readonly StoredFile[]): AttachedFile[] {
  return keys.flatMap((key) => {
    const row = rows.find((one) => one.key === key);
    return row ? [attachedFile(row, rows)] : [];
  });
}

/** The files of a text. */
export function filesOf(facts: TextFacts | null): AttachedFile[] {
  return filesIn(facts?.extra ?? null);
}

/** The files in what is stored with a text as JSON. */
export function filesIn(extra: string | null): AttachedFile[] {
  // Few texts have files, and parsing what is stored takes most of the time.
  if (!extra?.includes('"files":[')) return [];
  return (JSON.parse(extra) as MessageExtra).files ?? [];
}

function attachedFile(row: StoredFile, rows: readonly StoredFile[]): AttachedFile {
  const { key, name, type, size, state } = row;
  const info = infoOf(row);
  const { width, height, duration_ms, alt, blur, reason } = info;
  const preview = rows.findLast((one) => one.ofKey === key && isPreview(one, info));
  // Fields that are undefined are not in the JSON.
  return JSON.parse(
    JSON.stringify({
      ...{ key, name, type, size, width, height, duration_ms, alt, blur, preview: preview?.key },
      state: state === 'ready' ? undefined : state,
      reason: state === 'refused' ? reason : undefined,
    }),
  );
}

/** Whether it may stand for the file: a small picture of the same proportions. */
function isPreview(row: StoredFile, of: FileInfo): boolean {
  const { kind, width = 0, height = 0 } = infoOf(row);
  if (row.state !== 'ready' || !PREVIEW_KINDS.has(kind) || width === 0 || height === 0) return false;
  if (Math.max(width, height) > PREVIEW_SIDE_MAX) return false;
  if (!of.width || !of.height) return true;
  const scale = Math.max(width, height) / Math.max(of.width, of.height);
  return Math.abs(of.width * scale - width) <= ROUNDED && Math.abs(of.height * scale - height) <= ROUNDED;
}
