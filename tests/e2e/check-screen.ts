/** The rule for every screen: axe finds nothing and nothing overflows, in both themes and both widths. */
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { sidewaysOverflow } from './overflow.ts';
import type { Person } from './person.ts';
import { soon } from './stage.ts';

/** The rules that look at colours. What all other rules look at is the same in both themes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** PICTURES=<folder>: takes a picture of each screen that has a name, at both widths and in both themes. */
const PICTURES = process.env.PICTURES;

/** Runs axe, and looks for overflow, on the screen as it is. `name`: of its pictures. */
export async function checkScreen(person: Person, name?: string): Promise<void> {
  const { page } = person;
  await page.evaluate(axe.source);
  for (const viewport of [PHONE, DESK]) {
    await page.setViewportSize(viewport);
    expect(await sidewaysOverflow(page), `${viewport.width} wide`).toEqual([]);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      const rules = colorScheme === 'dark' ? undefined : COLOUR_RULES;
      const violations = await page.evaluate(findViolations, rules);
      const found = violations.map(({ id, help, nodes }) => ({
        id,
        help,
        where: nodes.map(({ html }) => html),
      }));
      expect(found, `${colorScheme}, ${viewport.width} wide`).toEqual([]);
      if (PICTURES !== undefined && name !== undefined)
        await page.screenshot({ path: join(PICTURES, `${name}-${viewport.width}-${colorScheme}.png`) });
    }
  }
}

/** In the page. `rules`: undefined for all. */
async function findViolations(rules: string[] | undefined) {
  const { axe: inPage } = window as unknown as { axe: typeof axe };
  // Axe would fetch the style sheets again, which fails without a server. None of the rules it runs needs them.
  const { violations } = await inPage.run({ preload: false, ...(rules && { runOnly: rules }) });
  return violations;
}

/** The contrast of a colour in the middle of a transition means nothing. */
async function settled(page: Page): Promise<void> {
  await soon(() =>
    page.evaluate(
      () =>
        document
          .getAnimations()
          .filter(
            ({ playState, effect }) => playState === 'running' && effect?.getTiming().iterations !== Infinity,
          ).length,
    ),
  ).toBe(0);
}
