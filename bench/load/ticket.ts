/** Gets one-time tickets over HTTP connections that are kept alive. */
import { Agent, request } from 'node:http';
import { ticketResponse } from '../../protocol/rest/accounts.ts';
import type { Door } from './plan.ts';

const agent = new Agent({ keepAlive: true });

/** Gets a new ticket for the door's room. */
export async function fetchTicket(port: number, ticket: NonNullable<Door['ticket']>): Promise<string> {
  const { status, body } = await post(port, ticket);
  if (status !== 200) throw new Error(`no ticket: ${status} ${body}`);
  return ticketResponse.parse(JSON.parse(body)).ticket;
}

function post(
  port: number,
  { path, body, accessToken }: NonNullable<Door['ticket']>,
): Promise<{ status: number; body: string }> {
  const headers = {
    authorization: `Bearer ${accessToken}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      response.on('error', reject);
    });
    // The server may have ended a connection that was idle, at the moment in which it was used again.
    sent.on('error', (error) => {
      if (sent.reusedSocket) post(port, { path, body, accessToken }).then(resolve, reject);
      else reject(error);
    });
    sent.end(body);
  });
}
