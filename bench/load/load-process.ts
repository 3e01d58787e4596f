/** The load process: runs commands that arrive over the process channel, and sends one response to each. */
import { Fleet } from './fleet.ts';
import type { LoadAnswers, LoadCommand, LoadReply } from './plan.ts';

const fleet = new Fleet();

process.on('message', (command: LoadCommand) => {
  run(command).then(
    (answer) => reply({ ok: true, answer }),
    (error) => reply({ ok: false, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

async function run(command: LoadCommand): Promise<LoadAnswers[LoadCommand['name']]> {
  switch (command.name) {
    case 'open':
      return await fleet.open(command.plan, command.concurrency);
    case 'send':
      fleet.send(command.window, command.isPolling);
      return null;
    case 'change':
      fleet.change(command.plans, command.isPolling);
      return null;
    case 'post':
      await fleet.post(command.count);
      return null;
    case 'flow':
      fleet.flow(command.perSecond);
      return null;
    case 'flow-counts':
      return fleet.flowCounts(command.record);
    case 'cut':
      fleet.cut();
      return null;
    case 'return':
      return await fleet.comeBack(command.missed, command.concurrency);
    case 'mark':
      return fleet.mark(command.record);
    case 'halt':
      return fleet.halt();
    case 'close':
      fleet.close();
      return null;
  }
}

function reply(message: LoadReply): void {
  process.send?.(message);
}
