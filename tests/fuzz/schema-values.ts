/** Random values of a JSON Schema: mostly ones that it allows, some that it does not. */
import fc from 'fast-check';

export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
}

/** Texts that have broken parsers, databases and comparisons elsewhere. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 140 }),
  fc.integer({ min: 100, max: 20_000 }).map((length) => 'a'.repeat(length)),
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\0',
      '\ud800',
      '\u202e',
      '\u200b',
      'İ',
      'ﬀ',
      '1\ufe0f\u20e3',
      '👩‍👩‍👧‍👦',
      '\u0301'.repeat(50),
    ],
    ...[
      '__proto__',
      'constructor',
      "'; DROP TABLE users;--",
      '%00',
      '../../etc/passwd',
      '{{7*7}}',
      '<script>',
    ],
    ...[
      'null',
      'NaN',
      '-0',
      '1e400',
      '0x1',
      '9007199254740993',
      '2026-02-30T25:61:61Z',
      '0000-01-01T00:00:00Z',
    ],
  ),
);
const hostileNumber = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 63, 1e308, Number.MAX_SAFE_INTEGER),
);
const hostileValue = fc.oneof(
  hostileText,
  hostileNumber,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(null, true, [], {}, [[[[[[[[]]]]]]]]),
);

/** Texts that rules about names, messages and the like may allow. */
const ordinaryText = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.constantFrom(
    'kitchen',
    'Lunch?',
    '@room @"a b" `x`',
    '👍',
    'correct horse battery',
    'https://push.example.org/1',
  ),
);

/** `resolve` follows a `$ref`. */
export function someOf(schema: Schema, resolve: (reference: string) => Schema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 9, arbitrary: allowed(schema, resolve) },
    { weight: 1, arbitrary: hostileValue as fc.Arbitrary<unknown> },
  );
}

function allowed(schema: Schema, resolve: (reference: string) => Schema): fc.Arbitrary<unknown> {
  const of = (inner: Schema) => someOf(inner, resolve);
  if (schema.$ref !== undefined) return of(resolve(schema.$ref));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(of));
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(of(schema.items ?? {}), { maxLength: 6 });
    case 'object':
      return objectOf(schema, of);
    default:
      return hostileValue;
  }
}

function textOf({ pattern, format, maxLength }: Schema): fc.Arbitrary<string> {
  const longest = fc.constant('a'.repeat(Math.min(maxLength ?? 4000, 60_000)));
  const texts = [ordinaryText, hostileText, longest];
  if (format === 'date-time') texts.push(fc.date({ noInvalidDate: true }).map((date) => date.toISOString()));
  else if (pattern !== undefined) texts.push(fc.stringMatching(new RegExp(pattern)));
  return fc.oneof(...texts);
}

function numberOf({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema): fc.Arbitrary<number> {
  const least = Math.max(minimum, Number.MIN_SAFE_INTEGER);
  const most = Math.min(maximum, Number.MAX_SAFE_INTEGER);
  return fc.oneof(
    fc.integer({ min: least, max: Math.min(most, least + 5) }),
    fc.integer({ min: least, max: most }),
    fc.constantFrom(least - 1, most, most + 1),
  );
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  of: (schema: Schema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const known = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, of(schema)]));
  const fields = fc.record(known, { requiredKeys: required });
  const others = typeof additionalProperties === 'object' ? of(additionalProperties) : hostileValue;
  return fc
    .tuple(fields, fc.option(fc.dictionary(hostileText, others, { maxKeys: 3 }), { freq: 5, nil: {} }))
    .map(([one, more]) => ({ ...more, ...one }));
}
