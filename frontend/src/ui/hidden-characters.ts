import { manyLines, oneLine } from '../../../protocol/names.ts';
import type { ScreenTexts } from '../i18n/screens.ts';

/**
 * What is wrong with a line of free text that its field has kept from being too long; undefined: nothing. `texts`: the
 * words for it.
 */
export function lineError(texts: ScreenTexts, raw: string, max: number): string | undefined {
  return oneLine(raw, max) === null ? texts.hiddenCharacter : undefined;
}

/** The same for text of several lines. */
export function linesError(texts: ScreenTexts, raw: string, max: number): string | undefined {
  return manyLines(raw, max) === null ? texts.hiddenCharacter : undefined;
}
