/** Progress of long work, on standard error: a line that is written over on a terminal, else a line now and then. */

const EVERY_MS = 10_000;

/** Returns the function that tells how far a step has come, with an estimate of what is left. */
export function createProgress(): { tell(step: string, done: number, all: number): void; end(): void } {
  const isTerminal = process.stderr.isTTY === true;
  let step = '';
  let since = 0;
  let toldAt = 0;
  let isOpen = false;
  return {
    tell(now, done, all) {
      const time = performance.now();
      if (now !== step) [step, since, toldAt] = [now, time, isTerminal ? 0 : time];
      if (time - toldAt < (isTerminal ? 100 : EVERY_MS)) return;
      toldAt = time;
      const share = all === 0 ? 1 : done / all;
      const left =
        share > 0.02 ? `, about ${Math.ceil(((time - since) * (1 - share)) / share / 1000)} s left` : '';
      const line = `${step}: ${Math.round(share * 100)} %${left}`;
      process.stderr.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
      isOpen = isTerminal;
    },
    end() {
      if (isOpen) process.stderr.write('\r\u001b[K');
      isOpen = false;
    },
  };
}
