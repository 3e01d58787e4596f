import { describe, expect, it } from 'vitest';
import { ServerName, type ServerNameOptions } from './server-name.ts';

type Stored = ServerNameOptions['store'];

/** A database of one value, which two processes share. */
class Shared {
  now = 0;
  reads = 0;
  name: string | undefined;
  /** A read waits for it. */
  gate: Promise<unknown> = Promise.resolve();

  process(): ServerName {
    const store = {
      serverName: async () => {
        this.reads++;
        const read = this.name;
        await this.gate;
        return read;
      },
      setServerName: async ({ actorId, name }: { actorId: number | null; name: string | null }) => {
        if (actorId !== null) return { outcome: 'not_found' as const };
        this.name = name ?? undefined;
        return { outcome: 'changed' as const };
      },
    } satisfies Stored;
    return new ServerName({ store, now: () => this.now });
  }
}

describe('the name of the server', () => {
  it('is the default, until it is given', async () => {
    const name = new Shared().process();
    expect(await name.current()).toBe('Roomful');
    await name.set(null, 'Acme');
    expect(await name.current()).toBe('Acme');
    await name.set(null, null);
    expect(await name.current()).toBe('Roomful');
  });

  it('a change is known at once where it was made, and after 5 s in every other process', async () => {
    const shared = new Shared();
    const [here, there] = [shared.process(), shared.process()];
    expect([await here.current(), await there.current()]).toEqual(['Roomful', 'Roomful']);
    await here.set(null, 'Acme');
    shared.now = 4999;
    expect([await here.current(), await there.current()]).toEqual(['Acme', 'Roomful']);
    shared.now = 5000;
    expect(await there.current()).toBe('Acme');
  });

  it('any number of lines in 5 s read it once', async () => {
    const shared = new Shared();
    const name = shared.process();
    await Promise.all(Array.from({ length: 1000 }, () => name.current()));
    await name.current();
    expect(shared.reads).toBe(1);
  });

  it('a read from before a change does not undo it', async () => {
    const shared = new Shared();
    const name = shared.process();
    let open: (value: unknown) => void = () => undefined;
    shared.gate = new Promise((resolve) => {
      open = resolve;
    });
    const early = name.current();
    await name.set(null, 'Acme');
    open(undefined);
    expect([await early, await name.current()]).toEqual(['Acme', 'Acme']);
  });

  it('without a database it is the last one known', async () => {
    const shared = new Shared();
    const name = shared.process();
    shared.name = 'Acme';
    shared.gate = Promise.reject(new Error('away'));
    expect(await name.current()).toBe('Roomful');
    shared.gate = Promise.resolve();
    expect(await name.current()).toBe('Acme');
    shared.now = 60_000;
    shared.gate = Promise.reject(new Error('away'));
    expect(await name.current()).toBe('Acme');
  });

  it('for somebody who may not change it there is no administration', async () => {
    await expect(new Shared().process().set(7, 'Mine')).rejects.toMatchObject({ code: 'not_found' });
  });
});
