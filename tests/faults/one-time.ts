/** G6: many clients race for one ticket, one return ticket, and one refresh token. Now and then the process is killed meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { tokensSchema } from '../../protocol/rest/accounts.ts';
import { post, type Target } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { offering, upgrade } from '../support/upgrade.ts';
import { createRoom, issueTicket, type Login, logIn, signUp } from '../support/users.ts';
import type { Finding } from './trial.ts';

const LONGEST_RACE_MS = 25;

export interface RaceOptions {
  rounds: number;
  racers: number;
  /** The process is killed during one round in this number. */
  killOneIn: number;
}

interface Race {
  /** Makes one attempt; resolves to a name of what was won, or null. Rejects when there is no server. */
  attempt(target: Target): Promise<string | null>;
  winners: string[];
}

/** Runs the rounds. Throws when a round has two winners, or none although nothing went wrong. */
export async function raceForOneTimeThings(seed: number, options: RaceOptions): Promise<Finding> {
  const random = seededRandom(seed);
  await using server = await ServerProcess.start({ env: { SOCKETS_PER_USER: '1000' } });
  let login = await signUp(server);
  const roomId = (await createRoom(server, login)).id;
  const figures = { rounds: options.rounds, attempts: 0, kills: 0, 'winners at most': 0 };
  for (let round = 1; round <= options.rounds; round++) {
    const ticket = await issueTicket(server, login, roomId);
    const races = [
      refreshRace(login.refreshToken),
      ticketRace(`/ws?room_id=${roomId}`, offering(ticket)),
      ticketRace('/ws', ['chatroom.v2', `ticket.${await returnTicket(server, login)}`]),
    ];
    const isKilled = random.integer(1, options.killOneIn) === 1;
    await run(server, races, options.racers, isKilled ? random : null);
    // Later attempts, also after the next start, must all lose.
    await run(server, races, 2, null);
    for (const { winners } of races) {
      if (winners.length > 1) throw new Error(`round ${round}: ${winners.length} winners`);
      if (winners.length === 0 && !isKilled) throw new Error(`round ${round}: nobody won`);
      figures['winners at most'] = Math.max(figures['winners at most'], winners.length);
    }
    figures.attempts += races.length * options.racers;
    figures.kills += isKilled ? 1 : 0;
    const successor = races[0]?.winners[0];
    // After a slow start, the repeated attempts may have counted as reuse, which revokes the session.
    login =
      successor === undefined || isKilled
        ? await logIn(server, login.username)
        : { ...login, refreshToken: successor };
  }
  return { figures };
}

async function run(server: ServerProcess, races: Race[], racers: number, kill: Random | null): Promise<void> {
  const attempts = races.flatMap((race) => Array.from({ length: racers }, () => take(race, server)));
  if (kill) {
    await sleep(kill.integer(0, LONGEST_RACE_MS));
    await server.kill();
  }
  await Promise.all(attempts);
  if (kill) {
    await server.restart();
    // The response may have been lost, and then there is no winner. But there must not be a second one.
    await Promise.all(races.flatMap((race) => Array.from({ length: racers }, () => take(race, server))));
  }
}

async function take(race: Race, target: Target): Promise<void> {
  const won = await race.attempt(target).catch(() => null);
  if (won !== null) race.winners.push(won);
}

async function returnTicket(server: ServerProcess, login: Login): Promise<string> {
  const line = await LineClient.start(server, login);
  await line.close();
  return line.hello.return_ticket?.ticket ?? '';
}

function ticketRace(path: string, protocols: string[]): Race {
  return {
    winners: [],
    async attempt(target) {
      const { status, socket } = await upgrade(target, path, { protocols });
      socket?.destroy();
      return status === 101 ? 'in' : null;
    },
  };
}

function refreshRace(refresh_token: string): Race {
  return {
    winners: [],
    async attempt(target) {
      const reply = await post(target, '/api/v1/auth/refresh', { refresh_token });
      return reply.status === 200 ? tokensSchema.parse(reply.json).refresh_token : null;
    },
  };
}
