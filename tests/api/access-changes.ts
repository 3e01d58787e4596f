/**
 * The expected fate of everything that a user has open when something changes what the user may read or do. Nothing here
 * is computed; `access-changes.test.ts` makes each change on one process and on two, and compares.
 *
 * `open`: it goes on. `closed`: nothing of the room comes any more; a line gets `gone`, a socket of chatroom.v1 is closed
 * with 4204, and what is asked for does not exist. `ended`: the socket is closed with 4101. `mute`: it goes on, and nobody
 * sees the user type. `unseen`: so, and nobody sees the user in the room. `none`: the user does not have it, before and
 * after.
 *
 * `head`: of the room in the list, on a line that does not have it open. `ticket`: of the room, issued before. `owner`: the
 * status of a person in the room. `others`: the status of a person who is in no room of the user. `inbox`: a mention in the
 * room from before.
 */

const FATES = ['open', 'closed', 'ended', 'mute', 'unseen', 'none'] as const;
export type Fate = (typeof FATES)[number];
const SUBSCRIPTIONS = ['v1 seat', 'v2 seat', 'head', 'ticket', 'owner', 'others', 'inbox'] as const;
export type Subscription = (typeof SUBSCRIPTIONS)[number];

export interface Row {
  room: 'public' | 'private';
  user: 'stranger' | 'member' | 'guest';
  change: string;
  fates: Readonly<Record<Subscription, Fate>>;
}

const TABLE = `
| room    | user     | change               | v1 seat | v2 seat | head   | ticket | owner  | others | inbox  |
| public  | stranger | is made a guest      | closed  | closed  | none   | closed | closed | closed | closed |
| public  | member   | is made a guest      | open    | open    | open   | open   | open   | closed | open   |
| private | member   | is made a guest      | open    | open    | open   | open   | open   | closed | open   |
| public  | guest    | is made a member     | open    | open    | open   | open   | open   | open   | open   |
| public  | guest    | leaves               | closed  | closed  | closed | closed | closed | none   | closed |
| public  | member   | leaves               | open    | closed  | closed | open   | open   | open   | open   |
| private | member   | leaves               | closed  | closed  | closed | closed | open   | open   | closed |
| public  | guest    | is removed           | closed  | closed  | closed | closed | closed | none   | closed |
| public  | member   | is removed           | closed  | closed  | closed | open   | open   | open   | open   |
| private | member   | is removed           | closed  | closed  | closed | closed | open   | open   | closed |
| public  | stranger | is banned            | unseen  | unseen  | none   | open   | open   | open   | open   |
| public  | member   | is banned            | closed  | closed  | closed | open   | open   | open   | open   |
| private | member   | is banned            | closed  | closed  | closed | closed | open   | open   | closed |
| public  | guest    | is banned            | closed  | closed  | closed | closed | closed | none   | closed |
| public  | stranger | is muted             | mute    | mute    | none   | open   | open   | open   | open   |
| private | member   | is muted             | mute    | mute    | open   | open   | open   | open   | open   |
| public  | stranger | room is made private | closed  | closed  | none   | closed | open   | open   | closed |
| public  | stranger | room is deleted      | closed  | closed  | none   | closed | open   | open   | closed |
| private | member   | room is deleted      | closed  | closed  | closed | closed | open   | open   | closed |
| public  | guest    | room is deleted      | closed  | closed  | closed | closed | closed | none   | closed |
| private | member   | room is archived     | mute    | mute    | open   | open   | open   | open   | open   |
| private | member   | is suspended         | ended   | ended   | ended  | ended  | ended  | ended  | ended  |
| private | member   | account is removed   | ended   | ended   | ended  | ended  | ended  | ended  | ended  |`;

function parse(table: string): Row[] {
  const lines = table.trim().split('\n');
  return lines.slice(1).map((line) => {
    const [room, user, change = '', ...fates] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const named = SUBSCRIPTIONS.map((name, at) => [name, FATES.find((fate) => fate === fates[at])]);
    return { room, user, change, fates: Object.fromEntries(named) } as Row;
  });
}

export const ROWS: readonly Row[] = parse(TABLE);
