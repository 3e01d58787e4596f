/** Puts together what makes previews of links. */
import type { Places } from '../../data/blobs/places.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { Outgoing } from '../../platform/outgoing/outgoing.ts';
import { LogConsumer } from '../consumers/log-consumer.ts';
import type { Checker } from '../files/checker.ts';
import type { Uploads } from '../files/uploads.ts';
import { Fetcher } from './fetcher.ts';
import { KeptPages } from './kept.ts';
import { LinkFinder } from './link-finder.ts';
import { LinkPictures } from './pictures.ts';
import { Previews } from './preview.ts';
import { PreviewWorker } from './worker.ts';

export interface ComposeParts {
  store: Store;
  bus: Bus;
  uploads: Uploads;
  checker: Checker;
  places: Places;
  /** Its own: whoever is slow here keeps no notification waiting. */
  outgoing: Outgoing;
  /** OUTGOING_ALLOW. */
  allow: readonly string[];
  ownOrigins: readonly string[];
  log: Logger;
  now: Now;
  /** Other processes use the database, too. */
  isShared: boolean;
}

export function composePreviews(parts: ComposeParts) {
  const { store, bus, outgoing, allow, log, now, isShared } = parts;
  const pictures = new LinkPictures(parts);
  const previews = new Previews({
    kept: new KeptPages({ store, allow, now }),
    fetcher: new Fetcher(outgoing),
    pictures,
    now,
  });
  const worker = new PreviewWorker({ ...parts, previews, pictures });
  return {
    waiting: () => worker.waiting,
    /** The consumer, and its end, which ends what is under way. */
    start() {
      const consumer = new LogConsumer(new LinkFinder({ store, worker }), {
        store,
        bus,
        log,
        now,
        isShared,
      });
      return {
        async stop(): Promise<void> {
          // What ends with its connection now has not failed: it is looked at again.
          const ended = worker.end();
          outgoing.stop();
          await ended;
          await consumer.stop();
        },
      };
    },
  };
}
