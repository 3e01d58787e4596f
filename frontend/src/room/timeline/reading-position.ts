/** Where the reader is: which texts are in sight, and how far below the top of the box each of them stands. */

/** The texts, not the rows: whether a row shows its author depends on the row above it. */
const LANDMARKS = '[data-landmark]';
/** Some may be removed, like a notice or a deleted message. Of this many, one remains. */
const MAX_LANDMARKS = 12;

/** A message and how far its text stands below the top of the box. */
export interface Place {
  readonly seq: number;
  readonly top: number;
}

interface Landmark {
  /** Null: it is not in the document yet. */
  readonly element: Element | null;
  /** The seq of its message; null: it belongs to none. */
  readonly seq: number | null;
  /** Pixels below the top of the box. */
  readonly top: number;
}

export class ReadingPosition {
  readonly #box: HTMLElement;
  #landmarks: readonly Landmark[];
  /** `scrollTop` when the landmarks were recorded. */
  #scrollTop = 0;

  /** `place`: where the reader was in an earlier box. */
  constructor(box: HTMLElement, place: Place | null) {
    this.#box = box;
    this.#landmarks = place === null ? [] : [{ element: null, ...place }];
  }

  /** Where the reader is, for a later box; null: there is no message in sight. */
  get place(): Place | null {
    for (const { seq, top } of this.#landmarks) if (seq !== null) return { seq, top };
    return null;
  }

  /** Remembers what is in sight now. */
  record(): void {
    const elements = [...this.#box.querySelectorAll(LANDMARKS)];
    const frame = this.#box.getBoundingClientRect();
    const from = firstInSight(elements, frame);
    this.#landmarks = elements
      .slice(from, from + MAX_LANDMARKS)
      .map((element) => ({ element, seq: seqOf(element), top: topOf(element) - frame.top }));
    this.#scrollTop = this.#box.scrollTop;
  }

  /** Scrolls so that what was in sight stands where it stood, whatever changed above it. */
  restore(): void {
    this.#moveBack(this.#known() ?? this.#next(), 0);
  }

  /**
   * Undoes what a change of height above has moved since `record`, and keeps what was scrolled since. Call it before
   * the next `record`: a change that is not drawn yet would become part of the place.
   */
  settle(): void {
    this.#moveBack(this.#known(), this.#box.scrollTop - this.#scrollTop);
  }

  /** `scrolledBy`: pixels by which the landmark may have moved up. */
  #moveBack(landmark: Landmark | undefined, scrolledBy: number): void {
    if (landmark === undefined || landmark.element === null) return;
    const top = topOf(landmark.element) - topOf(this.#box);
    const movedBy = Math.round(top - landmark.top + scrolledBy);
    if (movedBy !== 0) this.#box.scrollTop += movedBy;
  }

  #known(): Landmark | undefined {
    return this.#landmarks.find(({ element }) => this.#box.contains(element));
  }

  /** Everything that was in sight is gone: the first message after it takes its place. */
  #next(): Landmark | undefined {
    const gone = this.#landmarks.find(({ seq }) => seq !== null);
    if (gone === undefined) return undefined;
    const element = [...this.#box.querySelectorAll(LANDMARKS)].find(
      (one) => (seqOf(one) ?? 0) >= (gone.seq ?? 0),
    );
    return element && { ...gone, element };
  }
}

/**
 * The first element that begins in sight: growth above it leaves it in place. When one element fills the whole box,
 * that one. The elements stand one below the other.
 */
function firstInSight(elements: readonly Element[], { top, bottom }: DOMRect): number {
  let from = 0;
  let to = elements.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (topOf(elements[middle]) < top) from = middle + 1;
    else to = middle;
  }
  return topOf(elements[from]) < bottom ? from : Math.max(0, from - 1);
}

function topOf(element: Element | undefined): number {
  return element?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
}

function seqOf(element: Element): number | null {
  const seq = element.closest<HTMLElement>('[data-seq]')?.dataset.seq;
  return seq === undefined ? null : Number(seq);
}
