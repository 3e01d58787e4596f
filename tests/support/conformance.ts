/**
 * Judges every response and every frame that tests receive by the descriptions of the interface, which `descriptions.ts`
 * has fetched. Without them, as in a bench, nothing is judged.
 */
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ERRORS } from '../../protocol/errors.ts';

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: unknown;
}
type Responses = Record<string, { content?: object }>;
interface Operation {
  responses: Responses;
}
interface Descriptions {
  openapi: { paths: Record<string, Record<string, Operation>> };
  asyncapi: object;
}

interface Route {
  pattern: RegExp;
  path: string;
  methods: Record<string, Operation>;
}

const OPTIONS = { strict: false, validateFormats: false, validateSchema: false, inlineRefs: false } as const;
const ERROR_BODIES = new Set(
  Object.values(ERRORS).map(({ status, message }) => `${status} ${JSON.stringify({ error: message })}`),
);

class Judge {
  readonly #routes: Route[];
  readonly #openapi = new Ajv2020(OPTIONS);
  readonly #asyncapi = new Ajv(OPTIONS);

  constructor({ openapi, asyncapi }: Descriptions) {
    this.#openapi.addSchema(openapi, 'openapi');
    this.#asyncapi.addSchema(asyncapi, 'asyncapi');
    this.#routes = Object.entries(openapi.paths)
      .map(([path, methods]) => ({ pattern: patternOf(path), path, methods }))
      // `/members/me` before `/members/{user_id}`.
      .sort((a, b) => parametersIn(a.path) - parametersIn(b.path));
  }

  /** What is wrong with a response; null: nothing. */
  response(method: string, target: string, { status, headers, text, json }: Reply): string | null {
    if (method === 'HEAD') return null;
    const path = decode(target);
    const route = this.#routes.find(({ pattern }) => pattern.test(path));
    const operation = route?.methods[method.toLowerCase()];
    const isJson = /^application\/json\b/.test(headers['content-type'] ?? '');
    if (!route || !operation) {
      if (!isJson || (status < 400 && !path.startsWith('/api/'))) return null;
      return ERROR_BODIES.has(`${status} ${text}`) ? null : 'it is not in the table of errors';
    }
    // Another server, such as a proxy, may have responded in its own words.
    if (!isJson && headers['x-request-id'] === undefined) return null;
    const documented = operation.responses[status];
    if (!documented) return 'the route has no such status';
    if (documented.content === undefined) return text === '' ? null : 'it has a body';
    if (!isJson) return 'it is not JSON';
    const pointer = ['paths', route.path, method.toLowerCase(), 'responses', status, 'content'];
    return this.#invalid(
      this.#openapi,
      `openapi#${pointerOf([...pointer, 'application/json', 'schema'])}`,
      json,
    );
  }

  /** The same of a frame. */
  frame(protocol: 'v1' | 'v2', frame: { type: string }): string | null {
    const pointer = pointerOf(['components', 'messages', `${protocol}.send.${frame.type}`, 'payload']);
    return this.#invalid(this.#asyncapi, `asyncapi#${pointer}`, frame);
  }

  #invalid(ajv: Ajv | Ajv2020, reference: string, value: unknown): string | null {
    // Ajv compiles it at its first use.
    const validate = ajv.getSchema(reference);
    if (!validate) return `there is no schema ${reference}`;
    return validate(value) ? null : ajv.errorsText(validate.errors);
  }
}

let judge: Judge | null | undefined;

function theJudge(): Judge | null {
  const file = process.env.API_DESCRIPTIONS;
  judge ??= file === undefined ? null : new Judge(JSON.parse(readFileSync(file, 'utf8')) as Descriptions);
  return judge;
}

/** Throws Error when a response is not as the OpenAPI document says. */
export function expectDescribed(method: string, target: string, reply: Reply): void {
  const fault = theJudge()?.response(method, target, reply) ?? null;
  if (fault === null) return;
  const response = `${reply.status} ${reply.text.slice(0, 1000)}`;
  throw new Error(`${method} ${target} is not as openapi.json says: ${fault}; the response: ${response}`);
}

/** What is wrong with a frame by the AsyncAPI document; null: nothing. */
export function undescribed(protocol: 'v1' | 'v2', frame: { type: string }): string | null {
  const fault = theJudge()?.frame(protocol, frame) ?? null;
  return fault === null ? null : `a frame is not as asyncapi.json says: ${fault}; ${JSON.stringify(frame)}`;
}

function parametersIn(path: string): number {
  return path.split('{').length;
}

function patternOf(path: string): RegExp {
  const escaped = path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${escaped}$`);
}

/** The path of a request target, decoded where it can be. */
function decode(target: string): string {
  const [path = ''] = target.split('?');
  const decoded = path.split('/').map((segment) => {
    try {
      return decodeURIComponent(segment).replaceAll('/', '%2f');
    } catch {
      return segment;
    }
  });
  return decoded.join('/');
}

function pointerOf(keys: readonly (string | number)[]): string {
  return keys
    .map((key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1'))
    .map((key) => `/${encodeURIComponent(key)}`)
    .join('');
}
