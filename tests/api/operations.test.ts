import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { expectReply } from '../support/expect-reply.ts';
import { send, sendRaw } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
});
afterAll(async () => await server?.dispose());

describe('what operators ask needs no credentials', () => {
  test('GET /health: 200 {status:"ok", timestamp, uptime, version}', async () => {
    const health = z.object({
      status: z.literal('ok'),
      timestamp: z.iso.datetime(),
      uptime: z.number().min(0),
      version: z.string().regex(/^\d+\.\d+\.\d+/),
    });
    expectReply(await send(server, '/health'), 200, health);
  });

  test('GET /healthz: 200 {status:"ok"}', async () => {
    const reply = await send(server, '/healthz');
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ status: 'ok' });
  });

  test('GET /ready: 200 {status:"ready", checks:{database:"healthy"}}', async () => {
    const reply = await send(server, '/ready');
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ status: 'ready', checks: { database: 'healthy' } });
  });

  test('GET /version: 200 {version, git_commit, build_time, node_version}', async () => {
    const version = z.object({
      version: z.string().regex(/^\d+\.\d+\.\d+/),
      git_commit: z.string(),
      build_time: z.string(),
      node_version: z.literal(process.version),
    });
    expectReply(await send(server, '/version'), 200, version);
  });
});

describe('the log', () => {
  test('is one JSON object a line on standard error; standard output has one line, with the address', async () => {
    // Terminal codes, plain and escaped, must stay inside a JSON string.
    await sendRaw(server, `GET /x HTTP/1.1\r\nHost: ${server.host}\r\nUser-Agent: \u001b[31m\r\n\r\n`, {
      quietMs: 1000,
    });
    await send(server, '/api/v1/rooms?q=%1b%5b31m%0a%0d');
    expect(server.logs.length).toBeGreaterThan(0);
    expect(server.stdout.trim().split('\n')).toHaveLength(1);
    expect(server.stdout).toMatch(new RegExp(`http://\\S+:${server.port}`));
  });
});
