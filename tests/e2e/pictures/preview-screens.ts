/** Previews of links, on a server whose operator wants them. */
import { drawLandscape, FOREST, PIER } from '../../../demo/picture.ts';
import { send } from '../../support/http.ts';
import { RoomLine } from '../../support/room-line.ts';
import { ServerProcess } from '../../support/server-process.ts';
import { createRoom, signUp } from '../../support/users.ts';
import { pageOf, WebSite } from '../../support/web-site.ts';
import { ME } from './script.ts';
import type { Screen } from './studio.ts';

const PAGES = {
  '/ferries': {
    'og:title': 'Ferries leave from the new pier from Monday on',
    'og:site_name': 'Harbour news',
    'og:description':
      'The old pier closes after ninety years. The last boat is at ten, and the band plays until then.',
    'og:image': '/pier.png',
  },
  '/forest': { 'og:title': 'A walk through the forest', 'og:image': '/forest.png' },
  '/notes': {
    'og:title': 'Release notes of 2.4',
    'og:description': 'What is new, and what to do before you update.',
  },
};

export const PREVIEW_SCREENS: Readonly<Record<string, Screen>> = {
  'link-previews': async (studio) => {
    await using site = await WebSite.start();
    for (const [path, page] of Object.entries(PAGES)) site.pages.set(path, pageOf(page));
    site.pages.set('/pier.png', drawLandscape(PIER));
    site.pages.set('/forest.png', drawLandscape(FOREST));
    await using server = await ServerProcess.start({
      env: { LINK_PREVIEWS: 'on', OUTGOING_ALLOW: site.host },
    });
    const login = await signUp(server, ME);
    const { id } = await createRoom(server, login, 'Launch');
    const json = { settings: { link_previews: true } };
    await send(server, `/api/v1/rooms/${id}`, { method: 'PATCH', token: login.accessToken, json });
    const line = await RoomLine.enter(server, login, id);
    const links = Object.keys(PAGES).map((path) => site.url(path));
    await line.post(links.join('\n'));
    await line.close();
    const person = await studio.seat({ origin: server.url, login, path: `/rooms/${id}` });
    await person.page.getByTestId('link-preview').nth(2).waitFor();
    await person.page.waitForFunction(() => {
      const all = [...document.querySelectorAll<HTMLImageElement>('[data-testid=link-preview] img')];
      return all.length === 2 && all.every(({ naturalWidth }) => naturalWidth > 0);
    });
    await studio.shoot(person, 'link-previews');
    await studio.clear();
  },
};
