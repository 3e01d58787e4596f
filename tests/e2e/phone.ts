/** A phone, and what every screen must be on one. */
import { expect } from 'vitest';
import type { Person } from './person.ts';

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Every control in sight is at least 44 pixels high and none is cut off at the side. */
export async function expectReachable(person: Person): Promise<void> {
  await settled(person);
  const small = await person.page
    .locator('button:visible, a:visible, input:visible, textarea:visible')
    .evaluateAll((controls) =>
      controls
        .filter((control) => !control.classList.contains('visually-hidden'))
        // The label of a box that is ticked can be touched, too.
        .map(
          (control) =>
            (control.matches('[type=checkbox], [type=radio]') && control.closest('label')) || control,
        )
        .map((control) => ({ control, box: control.getBoundingClientRect() }))
        .filter(({ box }) => box.height > 0 && (box.height < 44 || box.left < 0 || box.right > innerWidth))
        .map(({ control, box }) => `${control.outerHTML.slice(0, 120)}: ${box.width} × ${box.height}`),
    );
  expect(small).toEqual([]);
}

/** Nothing moves any more: a page of a phone comes from the side. */
async function settled({ page }: Person): Promise<void> {
  await page.evaluate(async () => {
    const moves = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(moves.map(({ finished }) => finished.catch(() => undefined)));
  });
}
