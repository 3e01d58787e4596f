/**
 * Numbered, forward-only steps from an empty database to the present schema. A step that has been released is
 * never edited. Expand first, contract in a later release, so that the release before still runs on the result.
 */
import { initial } from './0001-initial.ts';
import { lookAlikes } from './0002-look-alikes.ts';
import { looks } from './0003-looks.ts';
import { conversation } from './0004-conversation.ts';
import { peopleSearch } from './0005-people-search.ts';
import { endedInvites } from './0006-ended-invites.ts';
import { changesAndAttention } from './0007-changes-and-attention.ts';
import { administration } from './0008-administration.ts';
import { identity } from './0009-identity.ts';
import { registrations } from './0010-registrations.ts';
import { processes } from './0011-processes.ts';
import { hues } from './0012-hues.ts';
import { files } from './0013-files.ts';
import { pictures } from './0014-pictures.ts';
import { search } from './0015-search.ts';
import { linkPreviews } from './0016-link-previews.ts';
import type { Migration, SharedMigration } from './migration.ts';

/** From version 7 on. */
export const SHARED_MIGRATIONS: readonly SharedMigration[] = [
  changesAndAttention,
  administration,
  identity,
  registrations,
  processes,
  hues,
  files,
  pictures,
  search,
  linkPreviews,
];

export const MIGRATIONS: readonly Migration[] = [
  ...[initial, lookAlikes, looks, conversation, peopleSearch],
  endedInvites,
  ...SHARED_MIGRATIONS,
];

/** The newest schema that this code knows. */
export const SCHEMA_VERSION = MIGRATIONS.length;
