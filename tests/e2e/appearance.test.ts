/** Both themes, and what axe says to every screen in each of them, wide and narrow. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createRoom, uniqueName } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';
import { checkScreen } from './check-screen.ts';
import { REFUSED, UNREACHABLE } from './console-watch.ts';
import { sidewaysOverflow } from './overflow.ts';
import { onStage, type Stage, soon } from './stage.ts';
import { OLDER } from './timeline-page.ts';

onStage('themes', (stage) => {
  test('“Auto” follows the system; a choice survives a reload', async () => {
    const ann = await stage.seat({
      login: await stage.account('ann'),
      context: { colorScheme: 'dark' },
    });
    await ann.rooms.waitFor();
    expect(await lightness(ann.page)).toBe('dark');
    await ann.page.emulateMedia({ colorScheme: 'light' });
    expect(await lightness(ann.page)).toBe('light');

    await ann.me.click();
    await ann.page.getByText('Dark', { exact: true }).click();
    expect(await lightness(ann.page)).toBe('dark');
    await ann.page.reload();
    await ann.rooms.waitFor();
    expect(await lightness(ann.page)).toBe('dark');

    await ann.me.click();
    await ann.page.getByText('Auto', { exact: true }).click();
    expect(await lightness(ann.page)).toBe('light');
  });

  test('the browser’s own bars take the colour of the hallway in the chosen theme, also after a reload', async () => {
    const ann = await stage.seat({
      login: await stage.account('ann'),
      context: { colorScheme: 'light' },
    });
    await ann.rooms.waitFor();
    const [light, dark] = ['oklch(95.2% 0.019 278)', 'oklch(15.5% 0.024 278)'];
    expect(await barColour(ann.page)).toBe(light);
    await ann.me.click();
    await ann.page.getByText('Dark', { exact: true }).click();
    expect(await barColour(ann.page)).toBe(dark);
    await ann.page.reload();
    await ann.rooms.waitFor();
    expect(await barColour(ann.page)).toBe(dark);
    await ann.me.click();
    await ann.page.getByText('Auto', { exact: true }).click();
    expect(await barColour(ann.page)).toBe(light);
    await ann.page.emulateMedia({ colorScheme: 'dark' });
    expect(await barColour(ann.page)).toBe(dark);
  });
});

onStage('forced colours', (stage) => {
  test('chosen options and doors are outlined, and the day that floats is opaque', async () => {
    const { ann } = await inRoom(stage);
    await ann.page.emulateMedia({ forcedColors: 'active' });
    // Higher than the window, so that its day floats.
    await ann.say(`hello${'\nmore'.repeat(60)}`);
    await ann.message('hello').waitFor();
    const outline = (selector: string) =>
      ann.page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).outlineStyle);
    expect(await outline('[data-testid=room][aria-current]')).toBe('solid');
    await ann.me.click();
    expect(await outline('label:has(input[name=theme]:checked)')).toBe('solid');
    expect(await outline('label:has(input[name=theme]:not(:checked))')).toBe('none');
    expect(await outline('label:has(input[name=language]:checked)')).toBe('solid');
    await ann.page.keyboard.press('Control+k');
    await ann.page.getByRole('option').first().waitFor();
    expect(await outline('[role=option][aria-selected=true]')).toBe('solid');
    expect(await outline('[role=option][aria-selected=false]')).toBe('none');
    await ann.page.keyboard.press('Escape');
    expect(await outline('[data-testid=room] [data-hue]')).toBe('solid');
    const day = ann.log.getByRole('heading', { name: 'Today' }).locator('button span');
    const [back, canvas] = await day.evaluate((element) => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.backgroundColor = 'Canvas';
      const colours = [element, probe].map((each) => getComputedStyle(each).backgroundColor);
      probe.remove();
      return colours;
    });
    expect(back).toBe(canvas);
  });
});

onStage('emoji', (stage) => {
  test('are in colour, even when a font of the stack has them in black and white', async (context) => {
    const ann = await stage.seat();
    const coloured = (font: string) =>
      ann.page.evaluate((family) => {
        const canvas = document.createElement('canvas').getContext('2d');
        if (canvas === null) return false;
        canvas.font = `64px ${family}`;
        canvas.fillText('😀', 0, 64);
        const { data } = canvas.getImageData(0, 0, 90, 90);
        return data.some((value, index) => index % 4 === 0 && Math.abs(value - (data[index + 2] ?? 0)) > 64);
      }, font);
    if (!(await coloured('"Noto Color Emoji"'))) return context.skip('no emoji in colour on this machine');
    expect(await coloured(await ann.page.evaluate(() => getComputedStyle(document.body).fontFamily))).toBe(
      true,
    );
    // With a font in the stack that has its own black-and-white emoji.
    const stack = await ann.page.evaluate(() => getComputedStyle(document.body).fontFamily);
    expect(await coloured(stack.replace('system-ui', '"DejaVu Sans"'))).toBe(true);
  });
});

onStage('a very wide window', (stage) => {
  test('the door of the room stands above the avatars of the conversation', async () => {
    const { ann } = await inRoom(stage);
    await ann.say('hello');
    await ann.message('hello').waitFor();
    await ann.page.setViewportSize({ width: 2560, height: 1000 });
    const leftOf = async (what: Locator) => (await what.boundingBox())?.x ?? Number.NaN;
    const tile = await leftOf(ann.page.locator('[data-region=header] [data-hue]').first());
    expect(
      Math.abs(tile - (await leftOf(ann.message('hello').locator('[aria-hidden]').first()))),
    ).toBeLessThan(2);
  });

  test('from 2000 pixels on, the list and the sheet stand in the middle; narrower, they fill it', async () => {
    const { ann } = await inRoom(stage);
    const edges = async (width: number) => {
      await ann.page.setViewportSize({ width, height: 1000 });
      const list = await ann.page.locator('[data-region=rooms]').first().boundingBox();
      const sheet = await ann.page.locator('[data-sheet]').boundingBox();
      return [Math.round(list?.x ?? -1), Math.round(width - (sheet?.x ?? 0) - (sheet?.width ?? 0))];
    };
    const [start = 0, end = 0] = await edges(2560);
    expect(start).toBeGreaterThan(400);
    expect(Math.abs(start - end)).toBeLessThan(12);
    expect(await sidewaysOverflow(ann.page)).toEqual([]);
    expect((await edges(1999))[0]).toBe(0);
  });
});

onStage('axe finds nothing and nothing overflows, in both themes and both widths', (stage) => {
  test('signing in and up, with rules and errors', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat();
    ann.console.expect(REFUSED);
    await ann.isOutside();
    await checkScreen(ann);
    await ann.signIn(login.username, 'not the password');
    await ann.page.getByText('Wrong username').waitFor();
    await checkScreen(ann);
    await ann.choose('Sign up');
    await checkScreen(ann);
    await ann.signUp('a', 'short');
    await ann.page.getByText('2–64 visible').waitFor();
    await checkScreen(ann);
  });

  test('the rooms: none, some, none found, the dialog and its error, the menu', async () => {
    const login = await stage.account('ann');
    const ann = await stage.seat({ login });
    ann.console.expect(REFUSED);
    await ann.rooms.waitFor();
    await checkScreen(ann);
    const room = await createRoom(stage.server, login);
    await ann.refreshRooms();
    await ann.roomRow(room.name).waitFor();
    await checkScreen(ann);
    await ann.searchFor('no such room');
    await ann.switcher.getByText('No rooms, people or commands.').waitFor();
    await checkScreen(ann);
    await ann.page.keyboard.press('Escape');
    await ann.new.click();
    await ann.newItem('Invite people').waitFor();
    await checkScreen(ann);
    await ann.newItem('New room').click();
    await ann.page.getByLabel('Room name').fill(room.name);
    await checkScreen(ann);
    await ann.button('Create room').click();
    await ann.page.getByText('already exists').waitFor();
    await checkScreen(ann);
    await ann.button('Cancel').click();
    await ann.me.click();
    await checkScreen(ann);
  });

  test('a room: empty, in conversation, and one that does not exist', async () => {
    const { ann, room } = await inRoom(stage);
    await checkScreen(ann);
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    await ann.say('mine');
    await ann.message('mine').waitFor();
    const typing = setInterval(() => bo.send({ type: 'typing', is_typing: true }), 1000);
    await ann.typing.getByText('is typing').waitFor();
    await checkScreen(ann);
    clearInterval(typing);
    ann.console.expect(REFUSED);
    await ann.page.goto('/rooms/4000000000');
    await ann.page.getByText("This room doesn't exist").waitFor();
    await checkScreen(ann);
  });

  test('a room with a past, and a message that is too long', async () => {
    const login = await stage.account('ann');
    const room = await createRoom(stage.server, login);
    const bo = await ChatClient.enter(stage.server, await stage.account('bo'), room.id);
    for (let index = 1; index <= 120; index++) {
      bo.send({ type: 'message', content: `message ${index}, see https://example.org/${index}` });
    }
    await bo.waitForCount('message', 120);
    // What goes through a worker, no route of a test may see.
    const ann = await stage.seat({ login, path: '/', worker: false });
    ann.console.expect(/Failed to load resource/);
    // Near the oldest message those before it load by themselves: the button stays after a failure.
    await ann.page.route(OLDER, (route) => route.abort());
    await ann.page.goto(`/rooms/${room.id}`);
    await ann.isIn(room.name);
    await soon(async () => {
      await ann.wheel(-20_000);
      return await ann.page.getByText("Couldn't load older messages.").isVisible();
    }).toBe(true);
    await ann.button('Load older messages').waitFor();
    await ann.toEnd.waitFor();
    await checkScreen(ann);
    await ann.composer.fill('x'.repeat(4001));
    await ann.page.getByTestId('counter').waitFor();
    await checkScreen(ann);
  });

  test('a connection that is down, and waiting messages', async () => {
    await using proxy = await stage.proxy();
    const { ann } = await inRoom(stage, proxy.url);
    ann.console.expect(UNREACHABLE);
    await proxy.cut();
    await ann.connection('waiting').waitFor();
    await ann.say('waiting');
    await ann.pending.getByText('Sends when').waitFor();
    await ann.button('Retry now').waitFor();
    await checkScreen(ann);
  });
});

async function inRoom(stage: Stage, origin = stage.server.url) {
  const login = await stage.account('ann');
  const room = await createRoom(stage.server, login, uniqueName('room'));
  const ann = await stage.seat({ login, path: `/rooms/${room.id}`, origin });
  await ann.isIn(room.name);
  return { ann, room };
}

/** As the browser computes it: the colour of the first element whose media query matches. */
async function barColour(page: Page): Promise<string | undefined> {
  return await page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')];
    return all.find(({ media }) => window.matchMedia(media).matches)?.content;
  });
}

async function lightness(page: Page): Promise<'light' | 'dark'> {
  const colour = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const [value = Number.NaN] = /[\d.]+/.exec(colour)?.map(Number) ?? [];
  // oklch() says its lightness from 0 to 1, rgb() its red from 0 to 255.
  return value > (colour.startsWith('rgb') ? 128 : 0.5) ? 'light' : 'dark';
}
