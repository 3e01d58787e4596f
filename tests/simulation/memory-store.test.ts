import { describeStore } from '../../server/data/storage/store.contract.ts';
import { Disk } from './disk.ts';
import { createMemoryStore } from './memory-store.ts';

describeStore('the simulation', async () => {
  const disk = new Disk();
  const open = () => createMemoryStore({ disk, later: (_label, run) => void setImmediate(run) });
  let store = open();
  return {
    get store() {
      return store;
    },
    async reopen() {
      await store.close();
      store = open();
    },
    dispose: () => store.close(),
  };
});
