/** The profiles of the people in sight, kept up to date over the line. */
import type { ClientFrameV2 } from '../../protocol/frames/v2.ts';
import { WATCHED_USERS_MAX } from '../../protocol/limits.ts';
import type { Profile } from '../../protocol/people.ts';
import type { Cancel } from '../clock.ts';
import type { LineFrame } from '../connection/line-socket.ts';

/** What is known of people. Immutable. */
export interface ProfilesState {
  /** By user id: every person who was ever watched, as last received. */
  readonly profiles: ReadonlyMap<number, Profile>;
  /** The watched people who are online. */
  readonly online: ReadonlySet<number>;
}

const NOBODY: ProfilesState = { profiles: new Map(), online: new Set() };

/** The people in sight: `ChatClient.people`. */
export class Profiles {
  readonly #listeners = new Set<(state: ProfilesState) => void>();
  readonly #send: (frame: ClientFrameV2) => boolean;
  #state = NOBODY;
  #watched: readonly number[] = [];
  /** The response to `watch` lists everybody who is online; later frames are changes. */
  #isNew = false;

  /** @internal `ChatClient` creates it. */
  constructor(send: (frame: ClientFrameV2) => boolean) {
    this.#send = send;
  }

  /** Each change creates a new object; earlier ones do not change. */
  get state(): ProfilesState {
    return this.#state;
  }

  /** Calls `listener` after each change, until cancelled. */
  subscribe(listener: (state: ProfilesState) => void): Cancel {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Watches these people, at most 500, instead of those before: their profiles, and whether they are online. */
  watch(userIds: readonly number[]): void {
    const watched = [...new Set(userIds)].slice(0, WATCHED_USERS_MAX);
    const isSame =
      watched.length === this.#watched.length && watched.every((id) => this.#watched.includes(id));
    if (isSame) return;
    this.#watched = watched;
    this.#tell();
  }

  /** @internal */
  onFrame(frame: LineFrame): void {
    switch (frame.type) {
      case 'hello':
        this.#set({ ...this.#state, online: new Set() });
        this.#tell();
        return;
      case 'user':
        this.#set({
          ...this.#state,
          profiles: new Map(this.#state.profiles).set(frame.user.id, frame.user),
        });
        return;
      case 'people': {
        const online = new Set([...(this.#isNew ? [] : this.#state.online), ...frame.online]);
        this.#isNew = false;
        for (const id of frame.offline) online.delete(id);
        this.#set({ ...this.#state, online });
        return;
      }
      default:
        return;
    }
  }

  /** @internal The user is gone. */
  end(): void {
    this.#watched = [];
    this.#set(NOBODY);
  }

  #tell(): void {
    if (this.#watched.length === 0) return;
    const versions = this.#watched.map((id) => [id, this.#state.profiles.get(id)?.version ?? 0]);
    this.#isNew = this.#send({ type: 'watch', users: Object.fromEntries(versions) });
  }

  #set(state: ProfilesState): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) listener(state);
  }
}
