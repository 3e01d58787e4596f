/**
 * Hosts of a trial: network namespaces, each joined to ours by three links that can be cut one by one. It needs network
 * and mount namespaces of its own (`partitions.ts` makes them), which take everything with them when they end.
 */
import { execFileSync } from 'node:child_process';

/** What a link leads to. */
export type Link = 'database' | 'redis' | 'clients';

const NET: Record<Link, number> = { database: 1, redis: 2, clients: 3 };
const LINKS = ['database', 'redis', 'clients'] as const;

/** The last two are in one direction. */
export const CUTS = ['link down', 'black hole', 'lost from it', 'lost to it'] as const;
export type Cut = (typeof CUTS)[number];

export class Host {
  readonly #index: number;
  readonly #name: string;

  /** `index`: from 0 to 99. */
  constructor(index: number) {
    this.#index = index;
    this.#name = `host${index}`;
    ip('netns', 'add', this.#name);
    this.#within('link', 'set', 'lo', 'up');
    for (const link of LINKS) {
      const [ours, theirs] = this.#ends(link);
      ip('link', 'add', ours, 'type', 'veth', 'peer', 'name', theirs, 'netns', this.#name);
      ip('address', 'add', `${this.ourAddress(link)}/24`, 'dev', ours);
      ip('link', 'set', ours, 'up');
      this.#within('address', 'add', `${this.address(link)}/24`, 'dev', theirs);
      this.#within('link', 'set', theirs, 'up');
    }
  }

  /** What runs a command on this host. */
  get under(): string[] {
    return ['ip', 'netns', 'exec', this.#name];
  }

  /** Of this host, for us. */
  address(link: Link): string {
    return `10.${NET[link]}.${this.#index}.2`;
  }

  /** Of ours, for this host. */
  ourAddress(link: Link): string {
    return `10.${NET[link]}.${this.#index}.1`;
  }

  cut(link: Link, how: Cut): void {
    const [ours] = this.#ends(link);
    if (how === 'link down') ip('link', 'set', ours, 'down');
    if (how === 'black hole' || how === 'lost to it') ip('route', 'add', 'blackhole', this.address(link));
    if (how === 'black hole' || how === 'lost from it')
      this.#within('route', 'add', 'blackhole', this.ourAddress(link));
  }

  heal(link: Link, how: Cut): void {
    const [ours] = this.#ends(link);
    if (how === 'link down') ip('link', 'set', ours, 'up');
    if (how === 'black hole' || how === 'lost to it') ip('route', 'del', 'blackhole', this.address(link));
    if (how === 'black hole' || how === 'lost from it')
      this.#within('route', 'del', 'blackhole', this.ourAddress(link));
  }

  #ends(link: Link): [ours: string, theirs: string] {
    return [`${link}${this.#index}`, link];
  }

  #within(...args: string[]): void {
    ip('-n', this.#name, ...args);
  }
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
