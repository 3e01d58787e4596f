/** A box of rows with heights, for the tests of the controller: layout and scrolling without a browser. */

export interface FakeRowOptions {
  readonly seq: number;
  readonly height?: number;
  /** `new`: the divider above the first new message. */
  readonly kind?: 'message' | 'new';
}

export class FakeRow {
  readonly dataset: { readonly key: string; readonly seq?: string };
  readonly kind: 'message' | 'new';
  height: number;
  readonly #box: FakeBox;

  constructor(box: FakeBox, { seq, height = 50, kind = 'message' }: FakeRowOptions) {
    this.#box = box;
    this.kind = kind;
    this.height = height;
    this.dataset = kind === 'new' ? { key: 'new' } : { key: `m${seq}`, seq: String(seq) };
  }

  get isConnected(): boolean {
    return this.#box.rows.includes(this);
  }

  getBoundingClientRect(): { top: number; bottom: number } {
    const above = this.#box.rows.slice(0, this.#box.rows.indexOf(this));
    const top = above.reduce((sum, { height }) => sum + height, 0) - this.#box.scrollTop;
    return { top, bottom: top + this.height };
  }

  contains(other: unknown): boolean {
    return other === this;
  }

  closest(selector: string): FakeRow | null {
    const isFound = selector === '[data-seq]' ? this.dataset.seq !== undefined : this.kind === 'message';
    return isFound ? this : null;
  }

  focus(): void {
    focusOn(this);
  }
}

export class FakeBox {
  rows: FakeRow[] = [];
  readonly clientHeight: number;
  readonly firstElementChild = null;
  readonly isConnected = true;
  readonly dataset: { scrolling?: string } = {};
  #top = 0;

  constructor(clientHeight: number) {
    this.clientHeight = clientHeight;
  }

  get scrollHeight(): number {
    return Math.max(
      this.clientHeight,
      this.rows.reduce((sum, { height }) => sum + height, 0),
    );
  }

  get scrollTop(): number {
    return this.#top;
  }

  set scrollTop(top: number) {
    this.#top = Math.min(Math.max(0, top), this.scrollHeight - this.clientHeight);
  }

  /** The buttons over the box are in here, too. */
  get parentElement(): { contains(other: unknown): boolean } {
    return { contains: (other) => other !== null && other !== undefined };
  }

  show(rows: readonly FakeRowOptions[]): void {
    const known = new Map(this.rows.map((row) => [row.dataset.key, row]));
    this.rows = rows.map((options) => {
      const fresh = new FakeRow(this, options);
      return known.get(fresh.dataset.key) ?? fresh;
    });
    this.scrollTop = this.#top;
  }

  row(seq: number): FakeRow {
    const found = this.rows.find(({ dataset }) => dataset.seq === String(seq));
    if (found === undefined) throw new Error(`no message ${seq} in the box`);
    return found;
  }

  getBoundingClientRect(): { top: number; bottom: number } {
    return { top: 0, bottom: this.clientHeight };
  }

  querySelectorAll(selector: string): FakeRow[] {
    return selector === '[data-landmark]' ? this.rows : this.rows.filter(({ kind }) => kind === 'message');
  }

  querySelector(selector: string): FakeRow | undefined {
    const at = this.rows.findIndex(({ kind }) => kind === 'new');
    if (at === -1) return undefined;
    return selector === '[data-row=new]' ? this.rows[at] : this.rows[at + 1];
  }

  contains(other: unknown): boolean {
    return other === this || this.rows.some((row) => row === other);
  }

  focus(): void {
    focusOn(this);
  }
}

/** Stands in for the document's own: what has the focus now. */
export const fakeDocument: { activeElement: unknown } = { activeElement: null };

function focusOn(element: unknown): void {
  fakeDocument.activeElement = element;
}
