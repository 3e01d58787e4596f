import { describeBus } from './bus.contract.ts';
import { createMemoryBus } from './memory.ts';

describeBus('the memory bus', async () => {
  const bus = createMemoryBus();
  return { near: bus, far: bus, settled: async () => {}, close: () => bus.close() };
});
