/** Converts zod schemas to the JSON Schemas of the descriptions. */
import { type ZodType, z } from 'zod';
import { messageSchema } from '../../../../protocol/events.ts';
import { profileSchema } from '../../../../protocol/people.ts';
import { roomSchema } from '../../../../protocol/rooms.ts';

export type Json = Record<string, unknown>;

// Schemas that many routes and frames share: a document has each of them once.
z.globalRegistry.add(messageSchema, { id: 'Message' });
z.globalRegistry.add(roomSchema, { id: 'Room' });
z.globalRegistry.add(profileSchema, { id: 'Profile' });

/** OpenAPI 3.1 has the schemas of 2020-12, AsyncAPI 3.0 those of draft 7. */
export type Draft = 'draft-2020-12' | 'draft-7';

/** Converts one schema. Those with an id go to `schemas`, the components of the document, and are referred to. */
export function toSchema(
  schema: ZodType,
  io: 'input' | 'output',
  schemas: Json,
  target: Draft = 'draft-2020-12',
): unknown {
  // Within an object, so that a schema with an id becomes a reference, too.
  const converted = z.toJSONSchema(z.object({ schema }), { io, target, unrepresentable: 'any' });
  const text = JSON.stringify(converted).replaceAll(/"#\/(\$defs|definitions)\//g, '"#/components/schemas/');
  const { properties, $defs, definitions } = JSON.parse(text) as Record<string, Json>;
  Object.assign(schemas, $defs, definitions);
  return properties?.schema;
}
