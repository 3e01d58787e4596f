/** Uploads, checks and what looks after them. */
import type { Places } from '../../data/blobs/places.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import type { FileSettings } from '../../platform/config.ts';
import type { Logger } from '../../platform/log.ts';
import { CheckThread } from './check-thread.ts';
import { Checker } from './checker.ts';
import { Comparison } from './comparison.ts';
import { DiskSpace } from './disk-space.ts';
import { Gallery } from './gallery.ts';
import { Janitor } from './janitor.ts';
import { Pictures } from './pictures.ts';
import type { Scanner } from './scanner.ts';
import { Serving } from './serving.ts';
import { Uploads } from './uploads.ts';

export interface FilesParts {
  store: Store;
  places: Places;
  bus: Bus;
  settings: FileSettings;
  scanner: Scanner | undefined;
  isAlone: boolean;
  /** Whether the session has ended. */
  hasEnded(sessionId: number): boolean;
  now: Now;
  log: Logger;
}

export function composeFiles({
  store,
  places,
  bus,
  settings,
  scanner,
  isAlone,
  hasEnded,
  now,
  log,
}: FilesParts) {
  const checker = new Checker({ store, places, bus, thread: new CheckThread(), scanner, log, isAlone });
  const janitor = new Janitor({ store, places, checker, isAlone, now, log });
  const comparison = new Comparison({ store, places, now, log });
  const uploads = new Uploads({
    store,
    places,
    space: new DiskSpace(places.current, settings.totalBytes),
    ...{ fileBytes: settings.fileBytes, userBytes: settings.userBytes, now },
    onComplete: (file) => checker.add(file),
    onBegun: () => janitor.begin(),
    onDeleted: () => janitor.look(),
  });
  return {
    uploads,
    checker,
    pictures: new Pictures({ store, uploads, checker }),
    gallery: new Gallery({ store, now }),
    serving: new Serving({ store, places, hasEnded, now }),
    janitor,
    /** What is due now and then: a look for files that other processes left, and the comparison with their places. */
    tendFiles() {
      janitor.look();
      if (!janitor.hasFiles) return;
      comparison
        .run()
        .catch((error) => log.warn({ err: error }, 'the places of files could not be compared'));
    },
    /** New parts are refused, and those on their way end. */
    async stopFiles() {
      comparison.stop();
      await uploads.stop();
      await Promise.all([checker.stop(), janitor.stop()]);
    },
  };
}
