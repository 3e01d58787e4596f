/** Searches at a steady rate, timed from the moment at which each was due. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_PREFIX } from '../../protocol/constants.ts';
import { searchResponse } from '../../protocol/rest/search.ts';
import type { Typed } from './search-kinds.ts';

export interface Searched {
  kind: string;
  ms: number;
  /** The time for one answer was over before the page was full. */
  isPartial: boolean;
  results: number;
}

export interface SearchLoad {
  port: number;
  token: string;
  perSecond: number;
  /** Of each kind. */
  searches: number;
  kinds: Record<string, Typed>;
  /** Of the first query: others follow. */
  first: number;
}

/** Each kind in turn. */
export async function searchAtRate(load: SearchLoad): Promise<Searched[]> {
  const agent = new Agent({ keepAlive: true });
  const kinds = Object.entries(load.kinds);
  const from = performance.now();
  const pending: Promise<Searched>[] = [];
  for (let index = 0; index < load.searches * kinds.length; index++) {
    const due = from + (index * 1000) / load.perSecond;
    await sleep(Math.max(0, due - performance.now()));
    const [kind, typed] = kinds[index % kinds.length] ?? ['', () => ''];
    const number = load.first + Math.floor(index / kinds.length);
    pending.push(
      searchOnce(load, typed(number), agent).then(({ results, is_complete }) => ({
        ...{ kind, ms: performance.now() - due, isPartial: !is_complete, results: results.length },
      })),
    );
  }
  const all = await Promise.all(pending);
  agent.destroy();
  return all;
}

/** The first page. */
export function searchOnce({ port, token }: { port: number; token: string }, typed: string, agent?: Agent) {
  return new Promise<{ results: unknown[]; is_complete: boolean; indexed_from: string | null }>(
    (resolve, reject) => {
      const path = `${API_PREFIX}/search?q=${encodeURIComponent(typed)}`;
      const headers = { authorization: `Bearer ${token}` };
      const sent = request(
        { host: '127.0.0.1', port, path, headers, ...(agent && { agent }) },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          response.on('error', reject);
          response.on('end', () => {
            if (response.statusCode === 200) resolve(searchResponse.parse(JSON.parse(text)));
            else reject(new Error(`${path}: ${response.statusCode} ${text}`));
          });
        },
      );
      sent.on('error', reject);
      sent.end();
    },
  );
}
