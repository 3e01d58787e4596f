import { TimelineFocus, type TimelineKey } from './timeline-focus.ts';
import type { TimelineInput } from './timeline-input.ts';
import { type ScrollStart, type ScrollTarget, TimelineScroll } from './timeline-scroll.ts';

/**
 * Moves the scroll position and the focus of one timeline. It is called before and after every commit, and for what
 * the reader does. The order is fixed here: the scroll position first, then the focus, which must not scroll.
 */
export class TimelineController {
  readonly #scroll: TimelineScroll;
  readonly #focus: TimelineFocus;
  #input: TimelineInput;

  constructor(start: ScrollStart, input: TimelineInput) {
    this.#input = input;
    this.#scroll = new TimelineScroll(start, () => this.#input);
    this.#focus = new TimelineFocus(
      () => this.#input,
      (to) => this.#scroll.jump(to),
    );
  }

  /** A ref for the box that scrolls. Its one child has the rows; its parent has the buttons over them, too. */
  readonly attach = (box: HTMLElement | null): (() => void) | undefined => {
    if (box === null) return undefined;
    const detach = [this.#scroll.attach(box), this.#focus.attach(box)];
    // The first commit came before there was a box.
    this.#scroll.afterCommit();
    this.#focus.rest();
    return () => {
      for (const each of detach) each();
    };
  };

  /** React is about to change the document to `input`. */
  beforeCommit(input: TimelineInput): void {
    this.#input = input;
    this.#scroll.beforeCommit();
    this.#focus.beforeCommit();
  }

  /** The document shows `input`; nothing has been painted yet. */
  afterCommit(input: TimelineInput): void {
    this.#input = input;
    this.#scroll.afterCommit();
    this.#focus.afterCommit();
  }

  onScroll(): void {
    this.#scroll.onScroll();
    this.#focus.rest();
  }

  /** The reader scrolls, by wheel, finger or scroll bar. */
  onHand(): void {
    this.#scroll.byHand();
  }

  onKeyDown(event: TimelineKey): void {
    this.#scroll.byHand();
    this.#focus.onKeyDown(event);
  }

  onFocus(): void {
    this.#focus.onFocus();
  }

  jump(to: ScrollTarget): void {
    this.#scroll.jump(to);
  }

  /** Jumps to the first new message. The focus goes along when it is among the messages. */
  jumpToNew(): void {
    this.#focus.followToNew();
    this.#scroll.jump('new');
  }

  /** The reader has jumped to this message: it is highlighted for a moment, and has the focus. */
  showTarget(id: number): void {
    this.#focus.showTarget(id);
  }

  /** The first message in sight; null: there is none. */
  seqInSight(): number | null {
    return this.#scroll.seqInSight();
  }

  page(step: -1 | 1): void {
    this.#scroll.page(step);
  }

  /** The messages that load next are to be shown at once. */
  expectOlder(): void {
    this.#scroll.expectOlder();
  }

  /** Makes a change that the reader asked for, after which the element stands where it stood. */
  keep(still: Element, change: () => void): void {
    this.#scroll.keep(still, change);
  }
}
