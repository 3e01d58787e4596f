/** The focus among the messages: one Tab stop for all of them, moved by arrows, Home and End. */
import { isInSight, nearestInSight } from './in-sight.ts';
import type { TimelineInput } from './timeline-input.ts';
import type { ScrollTarget } from './timeline-scroll.ts';

const MESSAGES = '[data-row=message]';
/** After a scroll or a commit, the Tab stop is chosen anew when nothing has moved for this long. */
const REST_MS = 100;

type FocusTarget = 'first' | 'new' | 'last';

/** Keys as they reach the box, from React or from the browser. */
export type TimelineKey = Pick<
  KeyboardEvent,
  'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'preventDefault'
>;

/**
 * The Tab stop is the message that had the focus last, while it is in sight. When it is not, it is the message in sight
 * that is nearest to it: Tab never takes the reader back to where they were.
 */
export class TimelineFocus {
  readonly #input: () => TimelineInput;
  readonly #jump: (to: ScrollTarget) => void;
  #box: HTMLElement | null = null;
  /** How far below the top of the box the Tab stop was when it was last in the document. */
  #activeTop = 0;
  /** Set by a jump until its target is in the document. */
  #target: FocusTarget | null = null;
  #hadFocus: { readonly element: Element; readonly isInBox: boolean } | null = null;
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor(input: () => TimelineInput, jump: (to: ScrollTarget) => void) {
    this.#input = input;
    this.#jump = jump;
  }

  /** Returns the function that lets go of the box. */
  attach(box: HTMLElement): () => void {
    this.#box = box;
    return () => {
      clearTimeout(this.#resting);
      this.#box = null;
    };
  }

  beforeCommit(): void {
    const element = document.activeElement;
    // The box and the buttons over it.
    const isHere = element !== null && this.#box?.parentElement?.contains(element) === true;
    this.#hadFocus = isHere ? { element, isInBox: this.#holds(element) } : null;
    const active = this.#active(this.#messages());
    if (active !== undefined && this.#box !== null) this.#activeTop = topOf(active) - topOf(this.#box);
  }

  afterCommit(): void {
    if (this.#target !== null) {
      this.#find(this.#target)?.focus({ preventScroll: true });
      this.#target = null;
    } else if (this.#hadFocus?.element.isConnected === false) {
      // A button over the messages is gone: the focus goes on to the messages. A message has left the document: the box
      // takes the focus, so that the next arrow key goes on from what is in sight.
      const message = this.#hadFocus.isInBox ? undefined : this.#reached(this.#messages());
      (message ?? this.#box)?.focus({ preventScroll: true });
    }
    this.rest();
  }

  /** Chooses the Tab stop anew, soon. */
  rest(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#chooseStop(), REST_MS);
  }

  onKeyDown(event: TimelineKey): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    switch (event.key) {
      case 'ArrowUp':
      case 'ArrowDown':
        this.#step(event.key === 'ArrowUp' ? -1 : 1);
        break;
      case 'Home':
      case 'End':
        this.#target = event.key === 'Home' ? 'first' : 'last';
        this.#jump(event.key === 'Home' ? 'start' : 'end');
        break;
      case 'Escape':
        this.#input().onLeave();
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  onFocus(): void {
    const message = document.activeElement?.closest<HTMLElement>(MESSAGES);
    if (message?.dataset.key !== undefined) this.#input().onActive(message.dataset.key);
  }

  /** Gives the focus to the message with this id, and highlights it. The style sheet says for how long. */
  showTarget(id: number): void {
    const message = this.#box?.querySelector<HTMLElement>(`[data-message-id="${id}"]`);
    if (!message) return;
    message.dataset.target = '';
    message.addEventListener('animationend', () => delete message.dataset.target, { once: true });
    // The focus stays in the panel of a thread, where a link to a reply leads, and among the hits of a search.
    if (!document.activeElement?.closest('[data-testid=thread-panel], [data-walks]'))
      message.focus({ preventScroll: true });
  }

  /** The next jump leads to the first new message: the focus goes along when it is among the messages. */
  followToNew(): void {
    if (this.#holds(document.activeElement)) this.#target = 'new';
  }

  #step(by: 1 | -1): void {
    const all = this.#messages();
    const current = all.findIndex((message) => message.contains(document.activeElement));
    const next = current === -1 ? this.#reached(all) : all[current + by];
    next?.focus();
  }

  #chooseStop(): void {
    const all = this.#messages();
    const stop = this.#reached(all);
    const isLast = stop === all.at(-1) && !stop?.contains(document.activeElement);
    this.#input().onActive(isLast ? null : (stop?.dataset.key ?? null));
  }

  /** The message that has the focus or would get it. */
  #reached(all: readonly HTMLElement[]): HTMLElement | undefined {
    if (this.#box === null) return undefined;
    const frame = this.#box.getBoundingClientRect();
    const focused = all.find((message) => message.contains(document.activeElement));
    const active = focused ?? this.#active(all);
    if (active !== undefined && (active === focused || isInSight(active, frame))) return active;
    const last = all.at(-1);
    if (last === undefined || isInSight(last, frame)) return last;
    return nearestInSight(all, active === undefined ? frame.top + this.#activeTop : topOf(active), frame);
  }

  #active(all: readonly HTMLElement[]): HTMLElement | undefined {
    const { activeKey } = this.#input();
    return activeKey === null ? undefined : all.find(({ dataset }) => dataset.key === activeKey);
  }

  #find(target: FocusTarget): HTMLElement | null | undefined {
    if (target === 'new') return this.#box?.querySelector<HTMLElement>(`[data-row=new] ~ ${MESSAGES}`);
    return this.#messages().at(target === 'first' ? 0 : -1);
  }

  #messages(): HTMLElement[] {
    return [...(this.#box?.querySelectorAll<HTMLElement>(MESSAGES) ?? [])];
  }

  #holds(element: Element | null): boolean {
    return element !== null && this.#box?.contains(element) === true;
  }
}

function topOf(element: Element): number {
  return element.getBoundingClientRect().top;
}
