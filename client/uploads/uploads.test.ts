import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { Outbox } from '../outbox/outbox.ts';
import { memoryOutbox, type OutboxItem } from '../outbox/outbox-store.ts';
import { FakeTus } from '../testing/fake-tus.ts';
import type { UploadsOptions } from './upload.ts';
import { Uploads } from './uploads.ts';
import { memoryUploads, type UploadsInMemory } from './uploads-store.ts';

const ROOM = 7;
/** Pauses between requests are not waited for. */
const clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (_ms: number, run: () => void) => {
    const timer = setTimeout(run, 1);
    return () => clearTimeout(timer);
  },
};

class Page {
  readonly outbox: Outbox;
  readonly uploads: Uploads;

  constructor(
    server: FakeTus,
    held: { files: UploadsInMemory; unsent: Map<string, OutboxItem> },
    look?: UploadsOptions['look'],
  ) {
    this.outbox = new Outbox({ store: memoryOutbox(held.unsent) });
    this.uploads = new Uploads({
      ...{ requests: server.requests, outbox: this.outbox, store: memoryUploads(held.files), clock },
      look,
    });
    pages.push(this);
  }

  close(): void {
    this.uploads.close();
    this.outbox.close();
  }
}

const pages: Page[] = [];
afterEach(() => {
  for (const page of pages.splice(0)) page.close();
});

function device() {
  return { files: { uploads: new Map(), bytes: new Map() }, unsent: new Map<string, OutboxItem>() };
}

function file(name: string, size: number): File {
  return new File([new Uint8Array(size).map((_, at) => at % 251)], name, { type: 'text/plain' });
}

const soon = <T>(read: () => T) => expect.poll(read, { timeout: 10_000, interval: 5 });

test('a message waits for its files, and later texts overtake it', async () => {
  const server = new FakeTus();
  server.isAway = true;
  const page = new Page(server, device());
  page.uploads.add(ROOM, 'draft', file('plan.txt', 100));
  void page.outbox.add(ROOM, '', null, { files: page.uploads.take('draft') });
  void page.outbox.add(ROOM, 'later', null);
  await soon(() => page.outbox.due().map(({ content }) => content)).toEqual(['later']);
  server.isAway = false;
  page.uploads.retryNow();
  await soon(() => page.outbox.due().length).toBe(2);
  const [key] = page.outbox.due()[0]?.files?.map(({ key }) => key) ?? [];
  expect(server.uploads.get(key ?? '')?.bytes).toHaveLength(100);
});

test('an upload goes on after cuts, and what arrived is not sent again', async () => {
  const server = new FakeTus();
  server.cuts = 5;
  const page = new Page(server, device());
  page.uploads.add(ROOM, 'draft', file('big.bin', 1_000_000));
  await soon(() => page.uploads.all[0]?.isComplete).toBe(true);
  const sent = Buffer.from(await file('big.bin', 1_000_000).arrayBuffer());
  expect(sent.equals(server.named('big.bin')?.bytes ?? Buffer.alloc(0))).toBe(true);
  expect(server.received).toBe(1_000_000);
});

test('a page that is opened anew goes on where the last one was, and sends the message', async () => {
  const server = new FakeTus();
  const held = device();
  const first = new Page(server, held);
  first.uploads.add(ROOM, 'draft', file('big.bin', 900_000));
  void first.outbox.add(ROOM, 'see', null, { files: first.uploads.take('draft') });
  await soon(() => (first.uploads.all[0]?.offset ?? 0) > 0).toBe(true);
  server.isAway = true;
  first.close();
  server.isAway = false;
  const second = new Page(server, held);
  await soon(() => second.outbox.due().map(({ content }) => content)).toEqual(['see']);
  expect(server.uploads.size).toBe(1);
  expect(server.named('big.bin')?.bytes).toHaveLength(900_000);
});

test('what waits at a place stays there until it is taken, and can be removed', async () => {
  const server = new FakeTus();
  const page = new Page(server, device());
  const id = page.uploads.add(ROOM, 'draft', file('a.txt', 10));
  page.uploads.add(ROOM, 'other', file('b.txt', 10));
  await soon(() => page.uploads.all.every(({ isComplete }) => isComplete)).toBe(true);
  const { key } = page.uploads.all[0] ?? {};
  page.uploads.remove(id);
  await soon(() => server.removed).toEqual([key]);
  expect(page.uploads.take('draft')).toEqual([]);
  expect(page.uploads.take('other')).toEqual([expect.objectContaining({ name: 'b.txt', size: 10 })]);
  expect(page.uploads.take('other')).toEqual([]);
});

test.each([
  ['malware', 'malware'],
  ['unreadable', 'broken'],
  ['not_checked', 'not_checked'],
])(
  'a file that the check refuses as %s says so, keeps its place, and no message takes it',
  async (reason, refusal) => {
    const server = new FakeTus();
    server.reason = reason;
    const page = new Page(server, device());
    page.uploads.add(ROOM, 'draft', file('a.txt', 10));
    await soon(() => page.uploads.all[0]?.refusal).toBe(refusal);
    expect(page.uploads.take('draft')).toEqual([]);
    expect(page.uploads.all).toMatchObject([{ place: 'draft', size: 10 }]);
  },
);

test('a file that the server refuses fails alone: it says why, stays in its place, and can be tried again', async () => {
  const server = new FakeTus();
  server.refusal = new ApiError(507, 'no space for files');
  const page = new Page(server, device());
  const id = page.uploads.add(ROOM, 'draft', file('a.txt', 10));
  await soon(() => page.uploads.all[0]?.refusal).toBe('no_space');
  expect(page.uploads.take('draft')).toEqual([]);
  server.refusal = null;
  page.uploads.retry(id);
  await soon(() => page.uploads.all[0]?.isComplete).toBe(true);
  expect(page.uploads.take('draft')).toEqual([
    expect.objectContaining({ key: expect.stringMatching(/^key/) }),
  ]);
});

test('another file that is chosen in the place of one that failed is sent as what it is', async () => {
  const server = new FakeTus();
  server.refusal = new ApiError(507, 'no space for files');
  const page = new Page(server, device(), async (_file, type) =>
    type === 'text/plain' ? { width: 640, height: 480, blur: 'AAAA' } : {},
  );
  const id = page.uploads.add(ROOM, 'draft', file('a.txt', 10));
  await soon(() => page.uploads.all[0]?.refusal).toBe('no_space');
  expect(page.uploads.all).toMatchObject([{ width: 640, blur: 'AAAA' }]);
  server.refusal = null;
  page.uploads.retry(id, new File(['%PDF'], 'b.pdf', { type: 'application/pdf' }));
  await soon(() => page.uploads.all[0]?.isComplete).toBe(true);
  // What the server has found in the second one.
  await soon(() => page.uploads.all[0]?.width).toBe(40);
  const sent = { name: 'b.pdf', type: 'application/pdf', size: 4 };
  expect(server.named('b.pdf')).toMatchObject({ size: 4, metadata: { type: sent.type } });
  const [taken] = page.uploads.take('draft');
  expect(taken).toMatchObject(sent);
  expect(taken?.blur).toBeUndefined();
});

test('a message whose file is refused is not sent, and is tried again with its file', async () => {
  const server = new FakeTus();
  server.refusal = new ApiError(403, 'not allowed');
  const page = new Page(server, device());
  page.uploads.add(ROOM, 'draft', file('a.txt', 10));
  void page.outbox.add(ROOM, 'see', null, { files: page.uploads.take('draft') });
  await soon(() => page.outbox.items[0]?.refusal).toBe('not_allowed');
  server.refusal = null;
  page.outbox.retry(page.outbox.items[0]?.cid ?? '', null);
  await soon(() => page.outbox.due().length).toBe(1);
});

test('files that the server has forgotten are uploaded once more', async () => {
  const server = new FakeTus();
  const page = new Page(server, device());
  page.uploads.add(ROOM, 'draft', file('a.txt', 10));
  await soon(() => page.uploads.all[0]?.isComplete).toBe(true);
  void page.outbox.add(ROOM, '', null, { files: page.uploads.take('draft') });
  await soon(() => page.outbox.due().length).toBe(1);
  const { cid = '', files } = page.outbox.due()[0] ?? {};
  server.uploads.clear();
  page.outbox.refuse(cid, 'invalid_files');
  await soon(() => page.outbox.due().length).toBe(1);
  expect(page.outbox.due()[0]?.files?.[0]?.key).not.toBe(files?.[0]?.key);
});

test('a sent message leaves nothing on the device, and a discarded one nothing on the server', async () => {
  const server = new FakeTus();
  const held = device();
  const page = new Page(server, held);
  page.uploads.add(ROOM, 'draft', file('a.txt', 10));
  page.uploads.add(ROOM, 'other', file('b.txt', 10));
  await soon(() => page.uploads.all.every(({ isComplete }) => isComplete)).toBe(true);
  void page.outbox.add(ROOM, 'one', null, { files: page.uploads.take('draft') });
  void page.outbox.add(ROOM, 'two', null, { files: page.uploads.take('other') });
  await soon(() => page.outbox.due().length).toBe(2);
  const [one, two] = page.outbox.due();
  page.outbox.refuse(two?.cid ?? '', 'not_allowed');
  await vi.waitFor(() => expect(page.outbox.items[1]?.refusal).toBe('not_allowed'));
  await new Promise((resolve) => setTimeout(resolve, 5));
  page.outbox.stored(one?.cid ?? '', { id: 1, seq: 1, created_at: '2026-01-01T00:00:00Z' });
  page.outbox.discard(two?.cid ?? '');
  await soon(() => held.files.uploads.size).toBe(0);
  await soon(() => server.removed).toEqual([two?.files?.[0]?.key]);
  expect(server.named('a.txt')).toBeDefined();
});

test('the small picture is sent before the file, and what the check has found is known', async () => {
  const server = new FakeTus();
  const outbox = new Outbox({ store: memoryOutbox() });
  const preview = new Blob(['small'], { type: 'image/webp' });
  const look = async () => ({ width: 80, height: 60, preview });
  const uploads = new Uploads({ requests: server.requests, outbox, clock, look });
  uploads.add(ROOM, 'draft', file('photo.txt', 10));
  await soon(() => uploads.all[0]?.isComplete && uploads.all[0].width).toBe(40);
  const [taken] = uploads.take('draft');
  expect(server.uploads.get(taken?.preview ?? '')?.metadata).toEqual(
    expect.objectContaining({ purpose: 'preview', of: taken?.key }),
  );
  uploads.close();
  outbox.close();
});
