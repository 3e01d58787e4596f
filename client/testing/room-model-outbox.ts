/** The outbox of a page, over reloads. */
import type { OutboxItem } from '../outbox/outbox-store.ts';

export class ModelOutbox {
  items: OutboxItem[] = [];
  #settled: OutboxItem[] = [];
  /** What the page has not read yet after a reload. */
  #unread: OutboxItem[] = [];
  #count = 0;

  add(): void {
    const n = ++this.#count;
    this.items.push({ cid: `c${n}`, roomId: 1, content: `own ${n}`, createdAt: n, refusal: null });
  }

  retryAll(): void {
    this.items = this.items.map((item) => ({ ...item, refusal: null }));
  }

  refuse(cid: string | undefined, code: string): void {
    this.items = this.items.map((item) => (item.cid === cid ? { ...item, refusal: code } : item));
  }

  settle(cid: string): void {
    this.#settled = [...this.items.filter((item) => item.cid === cid), ...this.#settled].slice(0, 2);
    this.items = this.items.filter((item) => item.cid !== cid);
  }

  reload(): void {
    // The last deletion may not be committed yet.
    this.#unread = [...this.#settled.splice(0), ...this.items];
    this.items = [];
  }

  read(): void {
    this.items = [...this.#unread.splice(0), ...this.items].sort((a, b) => a.createdAt - b.createdAt);
  }
}
