/** The rooms of a new user: the default rooms, and the room of the invitation. */
import type { From, Invites } from './invites.ts';
import type { Members } from './members.ts';

export interface NewcomersOptions {
  members: Members;
  invites: Invites;
  /** The user is there, and a room could not be joined. */
  onMissed(error: unknown): void;
}

export class Newcomers {
  readonly #options: NewcomersOptions;

  constructor(options: NewcomersOptions) {
    this.#options = options;
  }

  /** Throws `invite_not_found` for an invitation that leads nowhere, before there is a user. */
  async expect(invite: string | undefined, from: From): Promise<void> {
    if (invite !== undefined) await this.#options.invites.find(invite, from);
  }

  /**
   * `invite`: of which the user has taken a use. Never throws: the name is taken by now, so a repeat could not succeed.
   */
  async admit(userId: number, invite: string | undefined): Promise<void> {
    const { members, invites, onMissed } = this.#options;
    await members.joinDefaultRooms(userId).catch(onMissed);
    if (invite !== undefined && !(await invites.isToServer(invite)))
      await invites.admit(invite, userId).catch(onMissed);
  }
}
