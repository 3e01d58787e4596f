/** Pictures of people and of the server: where they are seen, and where they are chosen. */
import { PASSWORD } from '../../../demo/seed.ts';
import { runCommand } from '../../support/command.ts';
import { bearer } from '../../support/sent-files.ts';
import { logIn } from '../../support/users.ts';
import type { Person } from '../person.ts';
import { drawFace, drawIcon } from './drawn-faces.ts';
import { ME, NOW } from './script.ts';
import type { Screen } from './studio.ts';
import { leaveNarrowRoom, me } from './user.ts';
import type { World } from './world.ts';

const FACES: Readonly<Record<string, Buffer<ArrayBuffer>>> = {
  [ME]: drawFace([186, 214, 196], [236, 196, 168], [92, 58, 40], [44, 84, 110]),
  'Ines Moreau': drawFace([246, 214, 168], [206, 150, 116], [40, 28, 26], [150, 52, 70]),
  'Jonas Weber': drawFace([176, 200, 232], [244, 212, 188], [206, 168, 100], [50, 54, 60]),
  'Noor Haddad': drawFace([30, 34, 44], [196, 140, 104], [20, 18, 20], [212, 168, 60]),
  林小雨: drawFace([250, 250, 250], [248, 220, 194], [24, 22, 24], [236, 120, 120]),
};
const SECTIONS = ['people', 'registration', 'reports', 'rooms', 'log', 'usage'] as const;

export const FACE_SCREENS: Readonly<Record<string, Screen>> = {
  'face-cut': async (studio) => {
    const person = await studio.seat({ login: studio.world.me, path: '/settings/profile' });
    await person.page.getByTestId('picture-field').waitFor();
    await choose(person, drawIcon());
    await studio.shoot(person, 'face-cut');
    await person.button('Cancel').click();
    const buffer = Buffer.from('no picture');
    await person.page
      .getByTestId('picture-input')
      .setInputFiles([{ name: 'me.png', mimeType: 'image/png', buffer }]);
    await person.page.getByRole('alert').waitFor();
    await studio.shoot(person, 'face-refused');
  },

  faces: async (studio) => {
    await giveFaces(studio.world);
    const says = `@"Ines Moreau", could you and @"${ME}" look at the new pictures of the team?`;
    await studio.world.say({ at: NOW, room: 'release', who: 'Noor Haddad', says });
    const person = await me(studio, 'release');
    await person.message('new pictures of the team').waitFor();
    await facesAreThere(person);
    await studio.shoot(person, 'faces');
    await person.message('new pictures of the team').getByText('@Ines').first().click();
    await person.page.getByTestId('profile').waitFor();
    await facesAreThere(person);
    await studio.shoot(person, 'face-profile');
    await person.page.keyboard.press('Escape');
    await leaveNarrowRoom(studio, person);
    await studio.shoot(person, 'face-list');
  },

  'faces-members': async (studio) => {
    await giveFaces(studio.world);
    const path = `${studio.world.path('release')}/members`;
    const person = await studio.seat({ login: studio.world.me, path });
    await person.page.getByTestId('member').first().waitFor();
    await facesAreThere(person);
    await studio.shoot(person, 'faces-members');
  },

  'face-settings': async (studio) => {
    await giveFaces(studio.world);
    const person = await studio.seat({ login: studio.world.me, path: '/settings/profile' });
    await person.button('Change picture').waitFor();
    await facesAreThere(person);
    await studio.shoot(person, 'face-settings');
  },

  administration: async (studio) => {
    await runCommand(studio.world.server, ['admin', 'grant', ME]);
    for (const section of SECTIONS) {
      const person = await studio.seat({ login: studio.world.me, path: `/admin/${section}` });
      await person.page.getByRole('heading', { level: 2 }).or(person.page.locator('main')).first().waitFor();
      await person.page.getByText('Loading…').waitFor({ state: 'detached' });
      await person.page.waitForLoadState('networkidle');
      await studio.shoot(person, `administration-${section}`);
    }
  },

  'server-icon': async (studio) => {
    await runCommand(studio.world.server, ['admin', 'grant', ME]);
    const root = await studio.seat({ login: studio.world.me, path: '/admin/registration' });
    await choose(root, drawIcon());
    await studio.shoot(root, 'server-icon-cut');
    await root.button('Use picture').click();
    await root.page.getByText('The picture is saved.').waitFor();
    await studio.shoot(root, 'server-icon');
    const person = await me(studio);
    await studio.shoot(person, 'server-icon-rooms');
    const stranger = await studio.seat();
    await stranger.choose('Sign in');
    await stranger.page.locator('img[src$="/icon"]').waitFor();
    await studio.shoot(stranger, 'server-icon-sign-in');
    await root.button('Remove').click();
    await root.page.getByText('The picture is removed.').waitFor();
  },
};

async function choose({ page }: Person, buffer: Buffer): Promise<void> {
  await page
    .getByTestId('picture-input')
    .setInputFiles([{ name: 'picture.png', mimeType: 'image/png', buffer }]);
  await page.getByTestId('crop').waitFor();
}

const given = new WeakSet<World>();

async function giveFaces(world: World): Promise<void> {
  if (given.has(world)) return;
  given.add(world);
  for (const [name, bytes] of Object.entries(FACES)) {
    const login = name === ME ? world.me : await logIn(world.server, name, PASSWORD);
    const url = `${world.server.url}/api/v1/me/avatar`;
    const body = Uint8Array.from(bytes);
    const { status } = await fetch(url, { method: 'PUT', headers: bearer(login), body });
    if (status !== 200) throw new Error(`the picture of ${name}: ${status}`);
  }
}

async function facesAreThere({ page }: Person): Promise<void> {
  await page.waitForFunction(() => {
    const images = [...document.querySelectorAll<HTMLImageElement>('[data-hue] img')];
    const isInSight = (image: HTMLImageElement) => {
      const { top, bottom, width } = image.getBoundingClientRect();
      // The heads of the window cover what is further up.
      return width > 0 && top >= 0 && bottom < window.innerHeight && image.checkVisibility();
    };
    return images.length > 0 && images.every((image) => image.complete || !isInSight(image));
  });
}
