import { describeBus } from '../../server/data/bus/bus.contract.ts';
import { createBus } from './late-bus.ts';
import { newOwner, World } from './world.ts';

describeBus('the bus of the simulation in calm weather', async () => {
  const bus = createBus(new World(1), newOwner('server'), () => null);
  return { near: bus, far: bus, settled: async () => {}, close: () => bus.close() };
});
