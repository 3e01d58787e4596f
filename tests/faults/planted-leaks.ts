/** Bugs that the leak trial has to find, planted in a copy of the server. */
import type { Patch } from '../support/patched-server.ts';

export const PLANTED_LEAKS = {
  noErrorListener: [
    { file: 'server/platform/net/open-sockets.js', find: ".on('error', destroy)", replace: '' },
  ],
  allAtOnce: [
    {
      file: 'server/entrypoints/http/server.js',
      find: 'order.handleInOrder(request, response, handle)',
      replace: 'handle(request, response)',
    },
  ],
  afterTheEnd: [
    {
      file: 'server/platform/net/request-order.js',
      find: 'if (!request.socket.writable)',
      replace: 'if (false)',
    },
  ],
  stopCutsRequestsAlone: [
    {
      file: 'server/process/app.js',
      find: 'sockets.destroyAll()',
      replace: 'http.server.closeAllConnections()',
    },
  ],
} satisfies Record<string, Patch[]>;
