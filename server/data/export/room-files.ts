/**
 * The files of an imported room. Nothing that their lines say of the bytes is believed: the bytes are looked at as those
 * of an upload. A file keeps its key, unless a file here has it.
 */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AttachedFile, fileReason } from '../../../protocol/attached-files.ts';
import { fileName, mediaType } from '../../../protocol/file-names.ts';
import { FILES_PER_MESSAGE } from '../../../protocol/limits.ts';
import type { LinkPreview } from '../../../protocol/link-previews.ts';
import { attachedFiles, type FileInfo, infoOf, withFound } from '../../rules/attached-files.ts';
import { arePreviews, picturesIn } from '../../rules/link-previews.ts';
import { FileFolder } from '../backup/files/folder.ts';
import { FILES } from '../backup/manifest.ts';
import type { Row } from '../storage/copy/source.ts';
import type { Store } from '../storage/store.ts';
import type { ExportedBytes } from './manifest.ts';
import { checkInfo, type FileRow, type MessageRow } from './room-rows.ts';
import { Wrong } from './wrong.ts';

/** Looks at the bytes of a file in FILES_DIR, and may replace them. */
export type CheckFile = (
  folder: string,
  file: { key: string; type: string },
) => Promise<Parameters<Store['settleFile']>[0]['result']>;

interface Parts {
  /** The folder of the export, and what it has of bytes. */
  from: string;
  bytes: ExportedBytes | null;
  /** FILES_DIR. */
  filesDir: string;
  check: CheckFile;
  isTaken(key: string): Promise<boolean>;
}

/** A file as it is stored here, but for its message. */
interface Placed {
  row: FileRow;
  line: number;
  key: string;
  name: string;
  type: string;
  size: number;
  sha256: string | null;
  info: string;
  state: 'ready' | 'refused';
  isNamed: boolean;
}

export class RoomFiles {
  readonly #parts: Parts;
  readonly #source: FileFolder;
  readonly #target: FileFolder;
  /** By the key of the export. */
  readonly #placed = new Map<string, Placed>();
  /** By the message of the export. */
  readonly #ofMessage = new Map<number, Placed[]>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#source = new FileFolder(join(parts.from, FILES));
    this.#target = new FileFolder(parts.filesDir);
  }

  /** Puts the bytes of a line in place. Throws `Wrong`. */
  async add(row: FileRow, line: number): Promise<void> {
    const { key, purpose, of_key: of, name, message_id: messageId } = row;
    if (this.#placed.has(key)) throw new Wrong('"key" is that of an earlier line');
    if ((purpose === 'preview') !== (of !== null))
      throw new Wrong('"purpose" and "of_key" do not fit together');
    if (fileName(name) !== name) throw new Wrong('"name" is no name of a file');
    checkInfo(row);
    const isTaken = await this.#parts.isTaken(key);
    const here = isTaken ? randomBytes(16).toString('base64url') : key;
    const placed: Placed = { row, line, key: here, isNamed: false, ...(await this.#bytesOf(row, here)) };
    this.#placed.set(key, placed);
    this.#ofMessage.set(messageId, [...(this.#ofMessage.get(messageId) ?? []), placed]);
  }

  /** The files of a message as they are here. Throws `Wrong`. */
  shown(messageId: number, files: readonly AttachedFile[]): AttachedFile[] {
    const own = this.#ofMessage.get(messageId) ?? [];
    const keys = files.map(({ key }) => key);
    if (keys.length > FILES_PER_MESSAGE || new Set(keys).size < keys.length)
      throw new Wrong('"extra" has more files than a message may have');
    const named = keys.map((key) => {
      const found = own.find(({ row }) => row.key === key && row.purpose === 'message');
      if (!found)
        throw new Wrong(`"extra" names the file ${key}, and files.jsonl does not have it for this message`);
      found.isNamed = true;
      return found.key;
    });
    return attachedFiles(
      named,
      own.map((file) => ({ ...file, ofKey: this.#keyOf(file) })),
    );
  }

  /** The previews of a message as they are here. Throws `Wrong`. */
  previews(message: Pick<MessageRow, 'id' | 'content'>, previews: readonly LinkPreview[]): LinkPreview[] {
    const own = this.#ofMessage.get(message.id) ?? [];
    if (
      new Set(picturesIn(previews)).size < picturesIn(previews).length ||
      !arePreviews(previews, message.content)
    )
      throw new Wrong('"extra" has previews that the message cannot have');
    return previews.map(({ image, ...preview }) => {
      if (!image) return preview;
      const found = own.find(({ row }) => row.key === image.key && row.purpose === 'link');
      if (!found)
        throw new Wrong(
          `"extra" names the file ${image.key}, and files.jsonl does not have it for this message`,
        );
      found.isNamed = true;
      const { width, height } = infoOf(found);
      return found.state === 'ready' && width && height
        ? { ...preview, image: { ...image, key: found.key, width, height } }
        : preview;
    });
  }

  /** The rows, once all messages are there. `message`: the id here. Throws `Wrong` by `wrong`. */
  *rows(of: {
    roomId: number;
    user(id: number): number;
    message(row: FileRow): number;
    wrong(line: number, problem: string): Error;
  }): Generator<Row> {
    for (const file of this.#placed.values()) {
      const { row, line, key, name, type, size, sha256, info, state } = file;
      const original = row.of_key === null ? undefined : this.#placed.get(row.of_key)?.row;
      if (row.of_key === null && !file.isNamed)
        throw of.wrong(line, '"extra" of its message does not name it');
      if (row.of_key !== null && (original?.message_id !== row.message_id || original.purpose !== 'message'))
        throw of.wrong(line, '"of_key" is no file of its message');
      try {
        yield {
          ...{ key, purpose: row.purpose, owner_id: of.user(row.owner_id), room_id: of.roomId },
          ...{
            message_id: of.message(row),
            of_key: this.#keyOf(file),
            name,
            type,
            size,
            received: size,
            sha256,
          },
          ...{ info, state, place: 'disk', created_at: row.created_at, expires_at: null },
        };
      } catch (error) {
        throw error instanceof Wrong ? of.wrong(line, error.message) : error;
      }
    }
  }

  /** The names of the files are on the disk. */
  sync(): void {
    this.#target.syncFolders();
  }

  /** Takes back what was put in place. */
  async undo(): Promise<void> {
    for (const { key } of this.#placed.values()) await rm(this.#target.pathOf(key), { force: true });
  }

  #keyOf({ row }: Placed): string | null {
    return row.of_key === null ? null : (this.#placed.get(row.of_key)?.key ?? null);
  }

  async #bytesOf(row: FileRow, key: string) {
    const { bytes, check, filesDir } = this.#parts;
    const type = mediaType(row.type);
    const said = { name: row.name, type, size: 0, sha256: null, state: 'refused' as const };
    const refusedFor = (reason: NonNullable<FileInfo['reason']>) => ({
      ...said,
      info: withFound(row.info, JSON.stringify({ reason })),
    });
    if (row.state === 'refused') return refusedFor(fileReason.catch('not_checked').parse(infoOf(row).reason));
    if (bytes === null || bytes.missing.includes(row.key)) return refusedFor('not_checked');
    if (!(await this.#target.copy(key, this.#source, row.key)))
      throw new Wrong('the export does not have its bytes');
    const verdict = await check(filesDir, { key, type });
    if (verdict.state === 'refused') return { ...said, info: withFound(row.info, verdict.info) };
    const { size, sha256, info } = verdict;
    return {
      name: row.name,
      type: verdict.type,
      size,
      sha256,
      info: withFound(row.info, info),
      state: 'ready' as const,
    };
  }
}
