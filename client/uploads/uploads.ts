/**
 * The uploads of a user: each begins at once, is kept on the device, goes on after cuts and reloads, and hands its key
 * to the unsent message that it belongs to.
 */
import { type Cancel, type Clock, systemClock } from '../clock.ts';
import type { OutboxFile } from '../outbox/outbox-files.ts';
import { checkedFacts } from './checked-facts.ts';
import { runUpload } from './run-upload.ts';
import { sendPreview } from './send-preview.ts';
import { aloneIn, Pauses, Slots } from './slots.ts';
import { tusApi } from './tus.ts';
import { UnsentUploads } from './unsent-uploads.ts';
import { newUpload, outboxFile, type Upload, type UploadsOptions, withFile } from './upload.ts';
import { beginUpload, type UploadState } from './upload-steps.ts';
import { memoryUploads, type UploadBytes, type UploadsStore } from './uploads-store.ts';

/** Bytes of a larger file are not kept on the device: after a reload the user chooses it again. */
const KEPT_BYTES_MAX = 64 * 1024 * 1024;
/** Uploads at once. Each may have its small picture beside it, and the server allows four. */
const AT_ONCE = 2;
/** What nobody has sent for this long is forgotten. */
const FORGOTTEN_AFTER_MS = 30 * 86_400_000;

export class Uploads {
  readonly #options: UploadsOptions;
  readonly #store: UploadsStore;
  readonly #clock: Clock;
  readonly #tus;
  readonly #slots = new Slots(AT_ONCE);
  readonly #uploads = new Map<string, Upload>();
  /** The bytes that this page has. */
  readonly #bytes = new Map<string, UploadBytes>();
  /** Those that this tab works on, or waits to. */
  readonly #running = new Map<string, AbortController>();
  /** Those whose check is waited for. */
  readonly #learning = new Map<string, AbortController>();
  readonly #looking = new Map<string, Promise<void>>();
  readonly #unsent: UnsentUploads | null;
  readonly #pauses = new Pauses();
  readonly #ends: Cancel[];
  #isLoaded = false;
  #isClosed = false;

  constructor(options: UploadsOptions) {
    this.#options = options;
    this.#store = options.store ?? memoryUploads();
    this.#clock = options.clock ?? systemClock;
    this.#tus = tusApi(options.requests);
    const { outbox } = options;
    this.#unsent = outbox
      ? new UnsentUploads(outbox, {
          find: (id) => this.#uploads.get(id),
          start: (id) => this.#start(id),
          retry: (id) => this.retry(id),
          restart: (upload) => this.#restart(upload),
          remove: (id) => this.remove(id),
          forget: (id) => this.#forget(id),
          reload: () => void this.#load(),
        })
      : null;
    this.#ends = [
      this.#store.watch(() => void this.#load()),
      outbox?.subscribe(() => this.#onOutbox()) ?? (() => {}),
      options.signals?.((signal) => signal === 'wake' && this.retryNow()) ?? (() => {}),
    ];
    void this.#load();
  }

  /** In the order in which they were added. */
  get all(): readonly Upload[] {
    return [...this.#uploads.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Begins an upload. `place`: where it waits to be sent, for `take`. Returns its id. */
  add(roomId: number, place: string, file: Blob & { readonly name?: string }): string {
    const upload = newUpload({ roomId, place }, file, this.#clock.now());
    const { id } = upload;
    this.#bytes.set(id, { file, preview: null });
    this.#set(upload);
    this.#looking.set(id, this.#look(id, file));
    this.#start(id);
    return id;
  }

  /** The bytes of an upload, as far as this device has them. */
  async bytesOf(id: string): Promise<UploadBytes | null> {
    return this.#bytes.get(id) ?? (await this.#store.bytes(id).catch(() => null));
  }

  /** Says what stands for the file where it cannot be seen. One that has begun begins anew. */
  setAlt(id: string, alt: string): void {
    const upload = this.#uploads.get(id);
    if (upload === undefined || (upload.alt ?? '') === alt) return;
    this.#restart({ ...upload, alt });
  }

  /** Tries one that has failed again; with `file`, as that one. */
  retry(id: string, file?: Blob & { readonly name?: string }): void {
    const failed = this.#uploads.get(id);
    if (failed === undefined || failed.refusal === null) return;
    if (file === undefined) return this.#restart(failed);
    const upload = withFile(failed, file);
    this.#bytes.set(id, { file, preview: null });
    this.#set(upload);
    this.#looking.set(id, this.#look(id, file));
    this.#restart(upload);
  }

  /** Ends an upload, and deletes what the server has of it. */
  remove(id: string): void {
    const key = this.#uploads.get(id)?.key;
    this.#forget(id);
    if (key) this.#tus.remove(key).catch(() => {});
  }

  /** The files that wait at a place, for `Room.send`. They do not wait there any more; those that have failed do. */
  take(place: string): OutboxFile[] {
    const taken = this.all.filter((upload) => upload.place === place && upload.refusal === null);
    for (const upload of taken) {
      // From now on its message says it.
      this.#learning.get(upload.id)?.abort();
      this.#set({ ...upload, place: null });
    }
    return taken.map(outboxFile);
  }

  /** The text of an unsent message is written anew, and its files wait at this place again. */
  giveBack(files: readonly OutboxFile[], place: string): void {
    for (const { upload: id = '' } of files) {
      const upload = this.#uploads.get(id);
      if (upload !== undefined) this.#set({ ...upload, place });
    }
  }

  /** Makes the next requests now, instead of after a pause. */
  retryNow(): void {
    this.#pauses.end();
  }

  /** Forgets everything: the user signs out of this device. */
  async clear(): Promise<void> {
    for (const { id } of this.all) this.#forget(id);
    await this.#store.clear().catch(() => {});
  }

  /** Ends all work. What is kept on the device goes on with the next page. */
  close(): void {
    this.#isClosed = true;
    for (const end of this.#ends) end();
    for (const run of this.#running.values()) run.abort();
    this.#store.close();
  }

  async #load(): Promise<void> {
    const stored = await this.#store.load().catch(() => []);
    if (this.#isClosed) return;
    const ids = new Set(stored.map(({ id }) => id));
    for (const upload of stored) {
      // What this tab works on it knows best.
      if (this.#running.has(upload.id) || this.#bytes.has(upload.id)) continue;
      if (this.#clock.now() - upload.createdAt > FORGOTTEN_AFTER_MS) this.#forget(upload.id);
      else {
        this.#uploads.set(upload.id, { ...upload, isPaused: false });
        if (!upload.isComplete && upload.refusal === null) this.#start(upload.id);
      }
    }
    for (const id of [...this.#uploads.keys()]) {
      if (!ids.has(id) && !this.#bytes.has(id) && !this.#running.has(id)) this.#uploads.delete(id);
    }
    this.#isLoaded = true;
    this.#tell();
    this.#onOutbox();
  }

  async #look(id: string, file: Blob): Promise<void> {
    const upload = this.#uploads.get(id);
    if (upload === undefined) return;
    const isKept = file.size <= KEPT_BYTES_MAX;
    // The page may be left while it is looked at.
    if (isKept) void this.#store.putBytes(id, { file, preview: null }).catch(() => {});
    const look = await this.#options.look?.(file, upload.type).catch(() => undefined);
    const { preview = null, ...facts } = look ?? {};
    const now = this.#uploads.get(id);
    if (now === undefined) return;
    const bytes = { file, preview };
    this.#bytes.set(id, bytes);
    this.#set({ ...now, ...facts });
    if (isKept && preview !== null) await this.#store.putBytes(id, bytes).catch(() => {});
  }

  #start(id: string): void {
    if (this.#running.has(id) || this.#isClosed) return;
    const run = new AbortController();
    this.#running.set(id, run);
    const task = async () => {
      if (!run.signal.aborted) await this.#slots.run(() => this.#run(id, run));
    };
    void aloneIn(this.#options.locks, `roomful-upload-${id}`, task).finally(() => {
      if (this.#running.get(id) === run) this.#running.delete(id);
    });
  }

  /** Only one tab is here for one upload. */
  async #run(id: string, { signal }: AbortController): Promise<void> {
    await this.#looking.get(id);
    const upload = await this.#latest(id);
    if (upload === null || upload.isComplete || upload.refusal !== null || signal.aborted) return;
    const bytes = await this.bytesOf(id);
    if (bytes === null) return this.#set({ ...upload, refusal: 'choose_again' });
    const { roomId, name, type, alt, blur, key, offset } = upload;
    const { size } = bytes.file;
    const end = await runUpload(
      {
        ...{ tus: this.#tus, clock: this.#clock, random: this.#options.random ?? Math.random, signal },
        ...{ facts: { roomId, name, type, size, alt, blur }, file: bytes.file },
        onCreated: (key) => this.#sendPreview(id, key, bytes.preview, signal),
        onChange: (state) => this.#onState(id, state, signal),
        woken: () => this.#pauses.ended(),
      },
      beginUpload(size, key, offset),
    );
    if (end.step === 'complete' && end.key !== null && !signal.aborted) void this.#learn(id, end.key);
  }

  /** Another tab may have gone on with it. */
  async #latest(id: string): Promise<Upload | null> {
    const held = this.#uploads.get(id) ?? null;
    if (held === null || this.#bytes.has(id)) return held;
    const stored = (await this.#store.load().catch(() => [])).find((one) => one.id === id);
    return stored === undefined ? null : { ...stored, isPaused: false };
  }

  #onState(id: string, { key, offset, step, code, failures }: UploadState, { aborted }: AbortSignal): void {
    const upload = this.#uploads.get(id);
    if (upload === undefined || aborted) return;
    const isComplete = step === 'complete';
    this.#set({ ...upload, key, offset, isComplete, refusal: code, isPaused: failures > 0 });
  }

  /** A small picture that comes later than the message is not in it. */
  async #sendPreview(id: string, of: string, preview: Blob | null, signal: AbortSignal): Promise<void> {
    const upload = this.#uploads.get(id);
    if (preview === null || upload === undefined) return;
    const key = await sendPreview(this.#tus, { ...upload, of }, preview, signal);
    const now = this.#uploads.get(id);
    if (key !== null && now !== undefined) this.#set({ ...now, preview: key });
  }

  /** What the server finds out about it, until it is sent. */
  async #learn(id: string, key: string): Promise<void> {
    if (this.#uploads.get(id)?.place === null) return;
    const learning = new AbortController();
    this.#learning.set(id, learning);
    const facts = await checkedFacts(this.#tus, key, this.#clock, learning.signal);
    const upload = this.#uploads.get(id);
    if (facts === null || learning.signal.aborted || upload?.key !== key) return;
    this.#set({ ...upload, ...facts });
  }

  #restart(upload: Upload): void {
    this.#running.get(upload.id)?.abort();
    this.#running.delete(upload.id);
    if (upload.key !== null) this.#tus.remove(upload.key).catch(() => {});
    const { preview: _, ...rest } = upload;
    this.#set({ ...rest, key: null, offset: 0, isComplete: false, refusal: null, isPaused: false });
    this.#start(upload.id);
  }

  #onOutbox(): void {
    if (this.#isLoaded && !this.#isClosed) this.#unsent?.sync();
  }

  #forget(id: string): void {
    this.#running.get(id)?.abort();
    this.#running.delete(id);
    this.#uploads.delete(id);
    this.#bytes.delete(id);
    this.#looking.delete(id);
    this.#learning.get(id)?.abort();
    this.#learning.delete(id);
    this.#store.delete(id).catch(() => {});
    this.#tell();
  }

  #set(upload: Upload): void {
    const before = this.#uploads.get(upload.id);
    this.#uploads.set(upload.id, upload);
    const { isPaused: _, ...stored } = upload;
    this.#store.put(stored).catch(() => {});
    this.#tell();
    const isNews = before?.isComplete !== upload.isComplete || before.refusal !== upload.refusal;
    if (upload.place === null && isNews) this.#onOutbox();
  }

  #tell(): void {
    if (!this.#isClosed) this.#options.onChange?.(this.all);
  }
}
