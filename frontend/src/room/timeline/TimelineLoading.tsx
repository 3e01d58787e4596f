import { useState } from 'react';
import type { ConnectionState } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { roomParts } from '../load-parts.ts';
import { TimelineSkeleton } from './TimelineSkeleton.tsx';

const Empty = lazyPart(async () => (await roomParts()).Empty);

/** Stands in for messages that have not arrived: a skeleton, or a sentence while there is no server to send them. */
export function TimelineLoading({ connection: { status } }: { readonly connection: ConnectionState }) {
  const text = useText();
  const [isDown, setDown] = useState(false);
  // Between two failed attempts the status is `connecting` for a moment. The sentence stays until a connection opens.
  if (!isDown && (status === 'waiting' || status === 'closed')) setDown(true);
  if (isDown && status === 'open') setDown(false);
  if (!isDown) return <TimelineSkeleton />;
  return <Empty drawing="closed_door" title={text.room.notLoaded} />;
}
