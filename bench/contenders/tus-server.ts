/** @tus/server with its store on a folder, as its documentation shows it. It does not sync, and admits everybody. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';

const tus = new Server({
  path: '/files',
  datastore: new FileStore({ directory: process.env.DIRECTORY ?? '' }),
  relativeLocation: true,
});
const http = createServer((request, response) => void tus.handle(request, response));
http.listen(0, '127.0.0.1', () => {
  console.log(`http://localhost:${(http.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));
