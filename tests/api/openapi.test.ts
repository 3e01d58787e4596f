/** The OpenAPI document describes every route, and is valid. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';

interface Content {
  /** Bodies of bytes have none. */
  'application/json'?: { schema: object; example?: unknown };
}
interface Operation {
  operationId: string;
  summary: string;
  security?: [];
  parameters: { name: string; in: string; schema: object }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

let server: ServerProcess;
let document: Document;
let operations: [name: string, Operation][];
beforeAll(async () => {
  server = await ServerProcess.start();
  const reply = await send(server, '/api/v1/openapi.json');
  expect(reply.status).toBe(200);
  document = reply.json as Document;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      one,
    ]),
  );
});
afterAll(async () => await server?.dispose());

/** Compiles a schema of the document, with those that it refers to. */
function compile(ajv: Ajv2020, schema: object) {
  return ajv.compile({ ...schema, components: document.components });
}

describe('GET /api/v1/openapi.json', () => {
  test('is valid by the official schema of OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...document });
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  test('has a summary and an operationId of its own for every route', () => {
    expect(operations.length).toBeGreaterThan(50);
    expect(operations.filter(([, { summary }]) => !/^[A-Z].*[^.]$/.test(summary))).toEqual([]);
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
  });

  test('names exactly the parameters of each path', () => {
    for (const [name, { parameters }] of operations) {
      const inPath = parameters
        .filter((parameter) => parameter.in === 'path')
        .map((parameter) => parameter.name);
      expect(inPath, name).toEqual([...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter));
    }
  });

  test('has valid schemas, and an example of each body and each success, which conforms', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const [name, { requestBody, responses }] of operations) {
      const bodies = Object.entries(responses).map(([status, { content }]) => ({ status, content }));
      const [first] = bodies.filter(({ status, content }) => status < '300' && content);
      for (const content of [requestBody?.content, first?.content]) {
        const described = content?.['application/json'];
        if (described) expect(described.example, name).toBeDefined();
      }
      for (const { status, content } of [{ status: 'body', content: requestBody?.content }, ...bodies]) {
        const described = content?.['application/json'];
        if (!described) continue;
        const { schema, example } = described;
        const validate = compile(ajv, schema);
        if (example !== undefined) validate(example);
        expect(validate.errors ?? [], `${name} ${status}`).toEqual([]);
      }
    }
  });

  test('shows in the example of the own rooms until when somebody is muted', () => {
    const [, operation] = operations.find(([name]) => name === 'GET /api/v1/me/rooms') ?? [];
    const example = operation?.responses['200']?.content?.['application/json']?.example;
    expect(example).toMatchObject({ rooms: [{ me: { silenced_until: expect.any(String) } }] });
  });

  test('says of each route whether it needs credentials', async () => {
    for (const [name, { security, responses }] of operations) {
      const [method = '', path = ''] = name.split(' ');
      const reply = await send(server, path.replaceAll(/\{\w+\}/g, '1'), { method });
      const isRefused = reply.status === 401 && reply.text.includes('missing bearer token');
      expect(isRefused, name).toBe(security === undefined);
      expect(Object.keys(responses), name).toContain(String(reply.status));
    }
  });

  test('has the reason of a suspension, and the refusal of a code that is too long', async () => {
    const bodyOf = (name: string, status: string) => {
      const [, operation] = operations.find(([one]) => one === name) ?? [];
      return operation?.responses[status]?.content?.['application/json']?.schema ?? {};
    };
    const long = await send(server, `/api/v1/invites/${'a'.repeat(129)}`);
    expect([long.status, long.json]).toEqual([400, { error: 'invalid payload' }]);
    const suspended = { error: 'account suspended', reason: 'Left the company' };
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const [schema, body] of [
      [bodyOf('GET /api/v1/invites/{code}', '400'), long.json],
      [bodyOf('POST /api/v1/auth/login', '403'), suspended],
    ] as const) {
      ajv.validate(schema, body);
      expect(ajv.errors ?? []).toEqual([]);
    }
  });
});
