/** The panes of the window, in the order in which F6 visits them. */

const REGIONS: readonly { readonly box: string; readonly start: readonly string[] }[] = [
  { box: '[data-region=rooms]', start: ['a[aria-current]', '[data-search]'] },
  { box: '[data-region=header]', start: ['button'] },
  { box: '[role=log]', start: ['[data-row=message][tabindex="0"]'] },
  { box: '[data-region=composer]', start: ['textarea'] },
  { box: '[data-region=search]', start: ['input'] },
  { box: '[data-region=people]', start: ['button'] },
];

/** Moves the focus to the next visible pane, or to the one before. */
export function moveToRegion(step: -1 | 1): void {
  const regions = REGIONS.flatMap(({ box, start }) => {
    const element = document.querySelector<HTMLElement>(box);
    const first = element === null ? undefined : startOf(element, start);
    return element === null || first === undefined ? [] : [{ element, first }];
  });
  const at = regions.findIndex(({ element }) => element.contains(document.activeElement));
  const to = at < 0 ? (step === 1 ? 0 : -1) : (at + step) % regions.length;
  regions.at(to)?.first.focus();
}

/** False where there is none to write in. */
export function focusComposer(): boolean {
  return take(document.querySelector<HTMLElement>('[data-composer=room]'));
}

/** What is typed beside the fields of a thread is meant for the thread, and elsewhere for the room. */
export function focusNearestComposer(from: Element | null = document.activeElement): boolean {
  const thread = from?.closest('[data-testid=thread-panel]');
  return take(thread?.querySelector<HTMLElement>('[data-composer]')) || focusComposer();
}

function take(field: HTMLElement | null | undefined): boolean {
  field?.focus();
  return field != null && field === document.activeElement;
}

/** The element that takes the focus in a pane; undefined when none is visible. */
function startOf(box: HTMLElement, selectors: readonly string[]): HTMLElement | undefined {
  const starts = selectors.flatMap((selector) => [...box.querySelectorAll<HTMLElement>(selector)]);
  return [...starts, box].find((element) => element.tabIndex >= 0 && isSeen(element));
}

function isSeen(element: HTMLElement): boolean {
  return element.checkVisibility({ visibilityProperty: true });
}
