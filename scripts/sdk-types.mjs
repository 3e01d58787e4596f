/**
 * The types of the SDK without zod. In `protocol/` the types are inferred from schemas, so their declarations need
 * zod and show no fields. Here each inferred type is printed from its schema: `export type User = { id: number; … }`.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { inRoot } from './paths.mjs';

const INFERRED = /export type (\w+) = z\.infer<typeof (\w+)>((?:\['\w+'\]|\[number\])*);/g;
const RELATIVE_IMPORT = /(from ')(\.[^']+?)(?:\.d)?\.(?:ts|js)'/g;
const COMPILED = inRoot('dist');

/** The files below dist/ that `entry` imports, itself included, as paths relative to dist/. `.d.ts` stays `.d.ts`. */
export function reachable(entry) {
  const extension = entry.endsWith('.d.ts') ? '.d.ts' : '.js';
  const files = [entry];
  for (const file of files) {
    for (const [, , path] of readFileSync(join(COMPILED, file), 'utf8').matchAll(RELATIVE_IMPORT)) {
      const imported = relative(COMPILED, join(COMPILED, dirname(file), path)) + extension;
      if (!files.includes(imported)) files.push(imported);
    }
  }
  return files;
}

/** A declaration file below dist/ as the package has it: without zod, and with `.js` in its imports. */
export async function plainDeclarations(file) {
  const text = readFileSync(join(COMPILED, file), 'utf8').replace(RELATIVE_IMPORT, "$1$2.js'");
  const inferred = [...text.matchAll(INFERRED)];
  if (inferred.length === 0) return text;
  const schemas = await import(join(COMPILED, file.replace(/\.d\.ts$/, '.js')));
  return inferred
    .map(([, name, schema, part]) => `export type ${name} = ${typeOf(schemaOf(schemas[schema]))}${part};\n`)
    .join('');
}

function schemaOf(schema) {
  return z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Only texts are transformed, to their normal form.
      if (zodSchema._zod.def.type === 'transform') jsonSchema.type = 'string';
    },
  });
}

/** A JSON Schema as a TypeScript type; throws for a keyword that our schemas do not use. */
function typeOf(schema, indent = '') {
  if (schema.const !== undefined)
    return typeof schema.const === 'string' ? `'${schema.const}'` : `${schema.const}`;
  if (schema.enum) return schema.enum.map((one) => `'${one}'`).join(' | ');
  const variants =
    schema.anyOf ?? schema.oneOf ?? (Array.isArray(schema.type) && schema.type.map((type) => ({ type })));
  if (variants) return variants.map((one) => typeOf(one, indent)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      if (schema.prefixItems) return `[${schema.prefixItems.map((one) => typeOf(one, indent)).join(', ')}]`;
      const items = typeOf(schema.items, indent);
      return items.includes(' | ') && !items.startsWith('{') ? `(${items})[]` : `${items}[]`;
    }
    case 'object': {
      if (!schema.properties) return `{ [key: string]: ${typeOf(schema.additionalProperties, indent)} }`;
      const inner = `${indent}    `; // As tsc indents.
      const fields = Object.entries(schema.properties).map(([name, field]) => {
        const isOptional = !(schema.required ?? []).includes(name);
        return `${inner}${name}${isOptional ? '?' : ''}: ${typeOf(field, inner)};`;
      });
      return `{\n${fields.join('\n')}\n${indent}}`;
    }
    default:
      throw new Error(`no TypeScript type for ${JSON.stringify(schema)}`);
  }
}
