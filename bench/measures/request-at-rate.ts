/** An open load: requests are sent when they are due, whether or not earlier ones have a response. */
import { Agent, request } from 'node:http';

export interface RequestRate {
  port: number;
  token: string;
  perSecond: number;
  seconds: number;
  /** Of every response; 200 by default. */
  status?: number;
  /** Returns the path of the next request. */
  path(): string;
}

/** Returns the milliseconds from when each request was due to the end of its response; rejects when one has another status. */
export async function requestAtRate({
  port,
  token,
  perSecond,
  seconds,
  status = 200,
  path,
}: RequestRate): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const from = performance.now();
  const pending: Promise<number>[] = [];
  for (let index = 0; index < perSecond * seconds; index++) {
    const due = from + (index * 1000) / perSecond;
    await until(due);
    pending.push(get({ agent, port, token, path: path(), status }).then(() => performance.now() - due));
  }
  const latencies = await Promise.all(pending);
  agent.destroy();
  return latencies;
}

/** Waits until `due`. Timers are up to a millisecond late, so the last millisecond is a busy wait. */
async function until(due: number): Promise<void> {
  const wait = due - performance.now();
  if (wait > 2) await new Promise((resolve) => setTimeout(resolve, wait - 2));
  while (performance.now() < due) await new Promise((resolve) => setImmediate(resolve));
}

interface Get {
  agent: Agent;
  port: number;
  token: string;
  path: string;
  status: number;
}

function get(what: Get): Promise<void> {
  const { agent, port, token, path, status } = what;
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = request({ agent, host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === status ? resolve() : reject(new Error(`${path}: ${response.statusCode}`)),
      );
      response.on('error', reject);
    });
    // The server may have ended a connection that was idle, at the moment in which it was used again.
    sent.on('error', (error) => {
      if (sent.reusedSocket) get(what).then(resolve, reject);
      else reject(error);
    });
    sent.end();
  });
}
