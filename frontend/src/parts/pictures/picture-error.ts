import { ApiError } from '../../../../client/index.ts';
import type { Catalogue } from '../../i18n/en.ts';
import { explain } from '../../i18n/errors.ts';
import type { ScreenTexts } from '../../i18n/screens.ts';

/** Why a picture was not taken, and what to do. */
export function pictureError(text: Catalogue, { files, pictures }: ScreenTexts, error: unknown): string {
  if (!(error instanceof ApiError)) return pictures.unreadable;
  if (error.status === 403) return files.off;
  if (error.status === 400) return pictures.refused;
  if (error.status === 409) return files.refusal('too_many');
  if (error.status === 413) return files.refusal('payload_too_large');
  if (error.status === 507) return files.refusal('no_space');
  return explain(text, error);
}
