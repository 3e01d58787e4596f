/**
 * Sockets that flood the server, in a process of their own. It is started with IPC, gets one order, and floods until it
 * gets `stop`. When a socket is closed it opens another, and at the end it reports how many were closed.
 */
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { offering, upgrade } from '../support/upgrade.ts';
import { issueTicket, type Login } from '../support/users.ts';
import { FLOODS, type FloodName } from './flood-frames.ts';

export interface FloodOrder {
  port: number;
  roomId: number;
  login: Login;
  flood: FloodName;
  sockets: number;
}

export interface FloodReport {
  opened: number;
  closed: number;
  refused: number;
  mebibytes: number;
}

const report: FloodReport = { opened: 0, closed: 0, refused: 0, mebibytes: 0 };
let isOver = false;

async function floodForEver({ port, roomId, login, flood }: FloodOrder): Promise<void> {
  const { start, more } = FLOODS[flood];
  while (!isOver) {
    const socket = await open(port, roomId, login);
    if (!socket) {
      report.refused++;
      await sleep(100);
      continue;
    }
    report.opened++;
    socket.resume();
    // It sends on after the server's end.
    socket.allowHalfOpen = true;
    let isClosed = false;
    const closed = new Promise<void>((resolve) => {
      socket.on('close', () => {
        isClosed = true;
        report.closed++;
        resolve();
      });
    });
    socket.write(start);
    while (!isClosed && !isOver) {
      report.mebibytes += more.length / 1024 / 1024;
      if (!socket.write(more)) await Promise.race([once(socket, 'drain').catch(() => {}), closed]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.destroy();
    await closed;
  }
}

async function open(port: number, roomId: number, login: Login): Promise<Duplex | null> {
  try {
    const ticket = await issueTicket({ port }, login, roomId);
    return (await upgrade({ port }, `/ws?room_id=${roomId}`, { protocols: offering(ticket) })).socket;
  } catch {
    // The server is busy with the flood. The healthy sockets check the effect of that.
    return null;
  }
}

let floods: Promise<unknown> = Promise.resolve();
process.on('message', (order: FloodOrder | 'stop') => {
  if (order !== 'stop') {
    floods = Promise.all(Array.from({ length: order.sockets }, () => floodForEver(order)));
    return;
  }
  isOver = true;
  void floods.then(() => process.send?.({ ...report, mebibytes: Math.round(report.mebibytes) }));
});
process.on('disconnect', () => process.exit(0));
