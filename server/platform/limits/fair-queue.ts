/** A bounded queue that is fair: clients take turns, and a full queue drops an item of the client that has most. */
export class FairQueue<Item> {
  readonly #limit: number;
  #size = 0;
  /** A client's items, oldest first; the client whose turn is next comes first. */
  readonly #byClient = new Map<string, Item[]>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Adds an item. When that exceeds the limit, removes and returns the newest item of the client that has most. That
   * may be the item just added.
   */
  push(client: string, item: Item): Item | undefined {
    const own = this.#byClient.get(client);
    if (own) own.push(item);
    else this.#byClient.set(client, [item]);
    this.#size++;
    return this.#size > this.#limit ? this.#drop(client) : undefined;
  }

  /** Takes the oldest item of the client whose turn it is. */
  shift(): Item | undefined {
    for (const [client, items] of this.#byClient) {
      const item = items.shift();
      this.#byClient.delete(client);
      if (items.length > 0) this.#byClient.set(client, items);
      this.#size--;
      return item;
    }
    return undefined;
  }

  /** The client with the most items loses one; among equals, the newcomer. */
  #drop(newcomer: string): Item | undefined {
    let loser = newcomer;
    let most = this.#byClient.get(newcomer) ?? [];
    for (const [client, items] of this.#byClient) {
      if (items.length <= most.length) continue;
      loser = client;
      most = items;
    }
    const item = most.pop();
    if (most.length === 0) this.#byClient.delete(loser);
    this.#size--;
    return item;
  }
}
