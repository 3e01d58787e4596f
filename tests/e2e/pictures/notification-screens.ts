/** What notifies the user, and what they keep: Inbox, Threads, Saved, notifications. */
import { PASSWORD } from '../../../demo/seed.ts';
import { logIn } from '../../support/users.ts';
import { launchRoom } from './launch-room.ts';
import { ME, NOW } from './script.ts';
import type { Screen, Studio } from './studio.ts';
import { me } from './user.ts';

/** Somebody whom nothing has called yet. */
const QUIET_ONE = 'Clara Jensen';

export const NOTIFICATION_SCREENS: Readonly<Record<string, Screen>> = {
  inbox: async (studio) => {
    const { talkers } = await launchRoom(studio.world);
    const mine = await talkers.say(ME, '10:18', 'Noor, could you read the page once more?');
    await talkers.say('Noor Haddad', '10:20', 'Done, it reads well now.', { reply_to: mine });
    await talkers.say('Ines Moreau', '10:21', '@room the page is final. Please change nothing any more.');
    await talkers.say(
      'Jonas Weber',
      '10:22',
      `@"${ME}" the domain is **ready**, see \`dig launch.example.org\``,
    );
    await studio.world.turnTo(NOW);
    const person = await studio.seat({ login: studio.world.me, path: '/inbox' });
    await person.page.getByTestId('inbox-entry').nth(2).waitFor();
    await studio.shoot(person, 'inbox');
    await emptyPage(studio, '/inbox', "You're all caught up", 'inbox-empty');
  },

  threads: async (studio) => {
    const { talkers, threadId: thread_id } = await launchRoom(studio.world);
    await talkers.say('Jonas Weber', '10:23', 'Perfect, I link to it from the footer.', { thread_id });
    await studio.world.turnTo(NOW);
    const person = await studio.seat({ login: studio.world.me, path: '/threads' });
    await person.page.getByTestId('followed-thread').first().waitFor();
    await studio.shoot(person, 'threads');
    await emptyPage(studio, '/threads', 'You follow no threads yet', 'threads-empty');
  },

  saved: async (studio) => {
    await launchRoom(studio.world);
    const person = await studio.seat({ login: studio.world.me, path: '/saved' });
    await person.page.getByTestId('message-card').nth(1).waitFor();
    await studio.shoot(person, 'saved');
    await emptyPage(studio, '/saved', 'Nothing saved yet', 'saved-empty');
  },

  'settings-notifications': async (studio) => {
    const person = await studio.seat({ login: studio.world.me, path: '/settings' });
    const section = person.page.getByTestId('notifications');
    if ((await section.getByTestId('quiet-hours').count()) === 0) {
      await section.getByRole('button', { name: 'Add hours' }).click();
      await section.getByTestId('quiet-hours').waitFor();
    }
    await section.evaluate((element) => element.scrollIntoView());
    await studio.shoot(person, 'settings-notifications');
  },

  'ask-notifications': async (studio) => {
    const { talkers } = await launchRoom(studio.world);
    const person = await me(studio, 'release');
    await person.page.evaluate(() => {
      Object.defineProperty(window, 'Notification', { value: { permission: 'default' } });
    });
    await talkers.say('Aiko Tanaka', '10:24', `@"${ME}" have you seen the graphs?`);
    await person.page.getByTestId('ask-notifications').waitFor();
    await studio.shoot(person, 'ask-notifications');
  },
};

/** The page of somebody for whom it has nothing yet. */
async function emptyPage(studio: Studio, path: string, says: string, name: string): Promise<void> {
  const login = await logIn(studio.world.server, QUIET_ONE, PASSWORD);
  const person = await studio.seat({ login, path });
  await person.page.getByText(says).waitFor();
  await studio.shoot(person, name);
}
