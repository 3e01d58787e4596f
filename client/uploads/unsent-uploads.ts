/** Brings unsent messages and the uploads of their files together. */
import type { OutboxItem } from '../outbox/outbox-store.ts';
import type { UnsentFiles } from '../outbox/unsent-files.ts';
import { outboxFile, type Upload } from './upload.ts';

/** What is done with uploads. */
export interface UploadWork {
  find(id: string): Upload | undefined;
  start(id: string): void;
  /** Tries one that has failed again. */
  retry(id: string): void;
  /** Sends all its bytes anew. */
  restart(upload: Upload): void;
  /** Here and on the server. */
  remove(id: string): void;
  /** Here. */
  forget(id: string): void;
  /** Reads what is on the device, and then calls `sync`. */
  reload(): void;
}

export class UnsentUploads {
  readonly #outbox: UnsentFiles;
  readonly #work: UploadWork;
  /** The messages of the uploads, as they were last: what has left was sent or discarded. */
  #last = new Map<string, OutboxItem>();
  /** Messages whose files were uploaded once more, after the server did not know them. */
  readonly #renewed = new Set<string>();
  /** Files of messages whose uploads are not on the device. */
  readonly #missed = new Set<string>();

  constructor(outbox: UnsentFiles, work: UploadWork) {
    this.#outbox = outbox;
    this.#work = work;
  }

  /** Either has changed. */
  sync(): void {
    const unsent = new Map<string, OutboxItem>();
    for (const item of this.#outbox.items) {
      for (const { upload: id, key } of item.files ?? []) {
        if (id === undefined) continue;
        unsent.set(id, item);
        if (key === null && item.refusal === null) this.#match(item, id);
      }
      if (item.refusal === 'invalid_files' && !this.#renewed.has(item.cid)) this.#renew(item);
    }
    const left = [...this.#last].filter(([id]) => !unsent.has(id));
    this.#last = unsent;
    for (const [id, { refusal }] of left) {
      // One whose text is written anew waits in its place.
      if (this.#work.find(id)?.place !== null) continue;
      // It was discarded; one that was sent is a message's.
      if (refusal !== null) this.#work.remove(id);
      else this.#work.forget(id);
    }
  }

  #match({ cid }: OutboxItem, id: string): void {
    const upload = this.#work.find(id);
    if (upload === undefined) {
      if (this.#missed.has(id)) return this.#outbox.refuse(cid, 'choose_again');
      // Another tab may have added it a moment ago.
      this.#missed.add(id);
      return this.#work.reload();
    }
    if (upload.isComplete) return this.#outbox.fileChanged(outboxFile(upload));
    if (upload.refusal === null) return this.#work.start(id);
    // The user has asked for it after a failure; otherwise the message has not failed yet.
    if (this.#last.get(id)?.refusal) this.#work.retry(id);
    else this.#outbox.refuse(cid, upload.refusal);
  }

  /** The server does not have the files of this message any more: they have waited too long. */
  #renew(item: OutboxItem): void {
    this.#renewed.add(item.cid);
    for (const { upload: id = '' } of item.files ?? []) {
      const upload = this.#work.find(id);
      if (upload === undefined) continue;
      this.#work.restart({ ...upload, key: null });
      this.#outbox.fileChanged({ ...outboxFile(upload), key: null });
    }
  }
}
