/** The AsyncAPI document describes every frame of the sockets, and is valid. */
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFrameV1, serverFrameV1 } from '../../protocol/frames/v1.ts';
import { clientFrameV2, serverFrameV2 } from '../../protocol/frames/v2.ts';
import { send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';

const require = createRequire(import.meta.url);

interface Message {
  name: string;
  summary: string;
  payload: object;
  examples: { payload: unknown }[];
}
interface Document {
  info: { version: string };
  channels: Record<string, { address: string; title: string; messages: Record<string, unknown> }>;
  operations: Record<string, { action: string; messages: unknown[] }>;
  components: { schemas: Record<string, object>; messages: Record<string, Message> };
}

const FRAMES = {
  'v1.receive': clientFrameV1,
  'v1.send': serverFrameV1,
  'v2.receive': clientFrameV2,
  'v2.send': serverFrameV2,
};

let server: ServerProcess;
let document: Document;
let messages: [name: string, Message][];
beforeAll(async () => {
  server = await ServerProcess.start();
  const reply = await send(server, '/api/v1/asyncapi.json');
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  document = reply.json as Document;
  messages = Object.entries(document.components.messages);
});
afterAll(async () => await server?.dispose());

describe('GET /api/v1/asyncapi.json', () => {
  test('is valid by the official schema of AsyncAPI 3.0', () => {
    const schema: object = require('@asyncapi/specs/schemas/3.0.0.json');
    // It contains the schema of draft 7, which Ajv would otherwise add a second time.
    const ajv = new Ajv({ strict: false, validateFormats: false, meta: false, validateSchema: false });
    ajv.validate(schema, document);
    expect(ajv.errors ?? []).toEqual([]);
  });

  test('has every type of frame of both protocols, in both directions, and no other', () => {
    const types = Object.entries(FRAMES).flatMap(([direction, { options }]) =>
      options.map((option) => `${direction}.${option.shape.type.value}`),
    );
    expect(messages.map(([name]) => name).sort()).toEqual(types.sort());
    const reached = Object.values(document.operations).flatMap((operation) => operation.messages);
    expect(reached).toHaveLength(types.length);
    expect(Object.keys(document.channels)).toEqual(['v1', 'v2']);
  });

  test('refers only to what it has', () => {
    const targets = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    expect(targets.length).toBeGreaterThan(100);
    for (const path of targets) {
      let found: unknown = document;
      for (const key of path.split('/')) found = (found as Record<string, unknown> | undefined)?.[key];
      expect(found, path).toBeDefined();
    }
  });

  test('has a summary and an example of each frame, which conforms to the schema and to the parser', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const [name, { summary, payload, examples }] of messages) {
      expect(summary, name).toMatch(/^[A-Z].*[^.]$/);
      const validate = ajv.compile({ ...payload, components: document.components });
      const [direction] = /^v\d\.\w+(?=\.)/.exec(name) ?? [''];
      expect(examples, name).toHaveLength(1);
      for (const example of examples) {
        validate(example.payload);
        expect(validate.errors ?? [], name).toEqual([]);
        expect(FRAMES[direction as keyof typeof FRAMES].parse(example.payload), name).toEqual(
          example.payload,
        );
      }
    }
  });
});
