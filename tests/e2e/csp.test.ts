/** The content security policy and Trusted Types: what they stop, and that the client itself never meets them. */
import { expect, test } from 'vitest';
import { createRoom } from '../support/users.ts';
import { REFUSED } from './console-watch.ts';
import { onStageWithWorker, soon } from './stage.ts';

const CODE = '```ts\nconst answer: number = 42;\n```';

onStageWithWorker('content security policy', (stage) => {
  test('using all of the client violates nothing', async () => {
    const owner = await stage.account('ann');
    const room = await createRoom(stage.server, owner);
    // Not on a page of the client: one that is left while its service worker is installed may take that with it.
    const ann = await stage.seat({ path: '/favicon.svg' });
    ann.console.expect(REFUSED);
    await ann.page.addInitScript(() => {
      const violations: string[] = JSON.parse(sessionStorage.getItem('violations') ?? '[]');
      document.addEventListener(
        'securitypolicyviolation',
        ({ effectiveDirective, blockedURI, sourceFile }) => {
          violations.push(`${effectiveDirective}: ${blockedURI} in ${sourceFile}`);
          sessionStorage.setItem('violations', JSON.stringify(violations));
        },
      );
    });
    await ann.page.goto('/');
    await ann.signIn(owner.username, 'a wrong password');
    await ann.page.getByText('Wrong username or password.').waitFor();
    await ann.signIn(owner.username, owner.password);
    await ann.openRoom(room.name);
    await ann.isKept();
    for (const content of [
      '**bold** _and_ `code`',
      CODE,
      '> quote\n\n1. list\n2. list',
      'https://example.org/',
      '🎉',
    ]) {
      await ann.say(content);
    }
    await soon(() => ann.messages.count()).toBe(5);
    const icon = ann.page.locator('link[rel=icon]');
    await soon(() => icon.getAttribute('href')).toMatch(/^data:image/);
    await soon(() => ann.log.locator('pre span').count()).toBeGreaterThan(0);
    await ann.createRoom(`${room.name} too`);
    await ann.me.click();
    await ann.page.getByText('Dark').click();
    await ann.page.keyboard.press('Escape');
    await ann.page.getByRole('button', { name: "Who's here" }).click();
    await ann.page.getByTestId('person').waitFor();
    await ann.page.keyboard.press('Control+k');
    await ann.page.getByRole('option', { name: 'Theme: Light' }).waitFor();
    await ann.page.keyboard.type(room.name);
    await ann.page.getByRole('option', { name: room.name, exact: true }).waitFor();
    await ann.page.keyboard.press('Escape');
    await ann.page.keyboard.press('Control+/');
    await ann.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await ann.page.keyboard.press('Escape');
    await ann.me.click();
    await ann.page.getByText('简体中文').click();
    await ann.page.getByRole('navigation', { name: '房间' }).waitFor();
    await ann.page.getByText('English').click();
    await ann.rooms.waitFor();
    await ann.page.keyboard.press('Escape');
    await ann.page.reload();
    await ann.isIn(`${room.name} too`);
    await ann.signOut();
    expect(await ann.page.evaluate(() => sessionStorage.getItem('violations'))).toBeNull();
  });

  test('Trusted Types stop HTML made of text, and any script but the service worker', async () => {
    const ann = await stage.seat();
    ann.console.expect(/Trusted|Content Security Policy|no script may come/);
    await ann.isOutside();
    const allowed = await ann.page.evaluate(async () => {
      interface Factory {
        createPolicy(name: string, rules: object): unknown;
      }
      const { trustedTypes } = window as unknown as { trustedTypes: Factory };
      const attempts: Record<string, () => unknown> = {
        innerHTML: () => {
          document.body.innerHTML = '<b>x</b>';
        },
        insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', '<b>x</b>'),
        'srcdoc of a frame': () => {
          document.createElement('iframe').srcdoc = '<b>x</b>';
        },
        'the address of a script': () => {
          document.createElement('script').src = '/theme.js';
        },
        'code from text': () => setTimeout('window.pwned = 1'),
        'another worker': () => navigator.serviceWorker.register('/theme.js'),
        'the policy a second time': () => trustedTypes.createPolicy('roomful', {}),
        'another policy': () => trustedTypes.createPolicy('other', {}),
      };
      const passed: string[] = [];
      for (const [name, attempt] of Object.entries(attempts)) {
        try {
          await attempt();
          passed.push(name);
        } catch {
          // As it should be.
        }
      }
      return passed;
    });
    expect(allowed).toEqual([]);
    expect(await ann.page.evaluate(() => 'pwned' in window)).toBe(false);
  });
});
