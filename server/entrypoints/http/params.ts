/** The parameters of paths, and places in lists. */

import type { z } from 'zod';
import { fileKey } from '../../../protocol/attached-files.ts';
import { parametersOf } from '../../../protocol/endpoints.ts';
import { AppError, type ErrorCode } from '../../../protocol/errors.ts';
import { reaction } from '../../../protocol/fields.ts';
import { isEmojiName } from '../../../protocol/names.ts';
import type { queryAfter } from '../../../protocol/rest/fields.ts';
import { parseId } from '../../../protocol/text.ts';

const MAX_CODE_LENGTH = 128;

type Parse = (text: string) => string | number;

/** Makes the reader of a path's parameters. It throws `AppError` for a value that none can have. */
export function parametersReader(path: string) {
  const parsers = parametersOf(path).map((name): [string, Parse] => [name, parserOf(path, name)]);
  return (given: Readonly<Record<string, string>>): Record<string, string | number> =>
    Object.fromEntries(parsers.map(([name, parse]) => [name, parse(given[name] ?? '')]));
}

function parserOf(path: string, name: string): Parse {
  if (name === 'emoji') return emojiOf;
  if (name === 'code') return codeOf;
  if (name === 'key') return keyOf;
  if (name === 'name') return emojiNameOf;
  const isRoom = path.includes('/rooms/:id') && name === 'id';
  return (text) => idOf(text, isRoom ? 'invalid_room_id' : 'bad_request');
}

function idOf(text: string, otherwise: ErrorCode): number {
  const id = parseId(text);
  if (id === null) throw new AppError(otherwise);
  return id;
}

function codeOf(text: string): string {
  if (text.length > MAX_CODE_LENGTH) throw new AppError('invalid_payload');
  return text;
}

/** Of a file. Any other text is none that there is. */
function keyOf(text: string): string {
  if (!fileKey.safeParse(text).success) throw new AppError('file_not_found');
  return text;
}

/** Of an emoji of the server. */
function emojiNameOf(text: string): string {
  if (!isEmojiName(text)) throw new AppError('invalid_payload');
  return text;
}

/** In its fully-qualified form. */
function emojiOf(text: string): string {
  const emoji = reaction.safeParse(text);
  if (!emoji.success) throw new AppError('bad_request');
  return emoji.data;
}

/** The last row of the page before. */
export function placeOf({ before_id: id, before_time: time }: z.infer<typeof queryAfter>) {
  return id === undefined || time === undefined ? undefined : { id, time };
}
