/** All the sockets of one load process. */
import { cpuUsage } from 'node:process';
import { Changer } from './changer.ts';
import { Comebacks } from './comebacks.ts';
import { eachSendTime, nowUs } from './content.ts';
import { Flow, type FlowSource } from './flow.ts';
import type { ChangePlan, LoadAnswers, Plan, SocketPlan } from './plan.ts';
import { RawSocket } from './raw-socket.ts';
import { Recorder } from './recorder.ts';
import { Sender } from './sender.ts';
import { Spin } from './spin.ts';
import { fetchTicket } from './ticket.ts';

/** Messages in flight of a sender that posts a given number. */
const POSTING_WINDOW = 8;

export class Fleet {
  readonly #sockets: RawSocket[] = [];
  readonly #senders: Sender[] = [];
  /** All that there ever were, as their counts count. */
  readonly #changers: Changer[] = [];
  readonly #sources: FlowSource[] = [];
  #flow: Flow | null = null;
  readonly #delivery = new Recorder();
  readonly #answer = new Recorder();
  readonly #spin = new Spin();
  readonly #comebacks = new Comebacks();

  /** Opens the plan's sockets, `concurrency` at a time, in order. */
  async open(plan: Plan, concurrency: number): Promise<LoadAnswers['open']> {
    const opening = new Recorder();
    opening.isOn = true;
    const startedAt = nowUs();
    const queue = plan.sockets.values();
    const worker = async () => {
      for (const socket of queue) {
        const from = nowUs();
        await this.#openOne(plan, socket);
        opening.record((nowUs() - from) / 1000);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    return { seconds: (nowUs() - startedAt) / 1e6, latencies: opening.take() };
  }

  send(window: number, isPolling: boolean): void {
    if (isPolling) this.#spin.start();
    for (const sender of this.#senders) {
      sender.listen();
      sender.start(window);
    }
  }

  change(plans: readonly ChangePlan[], isPolling: boolean): void {
    if (isPolling) this.#spin.start();
    for (const plan of plans) {
      const sender = this.#senders.find(({ id }) => id === plan.sender);
      if (!sender) continue;
      const changer = new Changer(plan, sender.socket);
      this.#changers.push(changer);
      changer.start();
    }
  }

  async post(count: number): Promise<void> {
    await Promise.all(this.#senders.map((sender) => sender.post(POSTING_WINDOW, count)));
  }

  /** The senders do nothing else from then on. */
  flow(perSecond: number): void {
    this.#flow ??= new Flow(this.#sources, this.#answer);
    this.#flow.start(perSecond);
  }

  flowCounts(record: boolean): LoadAnswers['flow-counts'] {
    this.#answer.isOn = record;
    let frames = 0;
    for (const { counter } of this.#sockets) frames += counter.frames;
    const none = { sent: 0, acks: 0, refusals: 0, heldBack: 0 };
    return { atUs: nowUs(), frames, ...(this.#flow?.counts ?? none) };
  }

  cut(): void {
    this.#comebacks.cut();
  }

  comeBack(missed: number, concurrency: number): Promise<LoadAnswers['return']> {
    return this.#comebacks.comeBack(missed, concurrency);
  }

  halt(): LoadAnswers['halt'] {
    this.#spin.stop();
    for (const sender of this.#senders) sender.halt();
    for (const changer of this.#changers) changer.halt();
    return { delivery: this.#delivery.take(), answer: this.#answer.take() };
  }

  mark(record: boolean): LoadAnswers['mark'] {
    this.#delivery.isOn = record;
    this.#answer.isOn = record;
    const { user, system } = cpuUsage();
    const mark = {
      atUs: nowUs(),
      cpuUs: user + system - this.#spin.idleUs,
      frames: 0,
      sent: 0,
      answers: 0,
      acks: 0,
    };
    for (const { counter } of this.#sockets) mark.frames += counter.frames;
    for (const { sent, answers, isAcked } of this.#senders) {
      mark.sent += sent;
      mark.answers += answers;
      if (isAcked) mark.acks += answers;
    }
    for (const { sent, answers } of this.#changers) {
      mark.sent += sent;
      mark.answers += answers;
      mark.acks += answers;
    }
    return mark;
  }

  close(): void {
    for (const socket of this.#sockets.splice(0)) socket.close();
    this.#senders.length = 0;
    this.#changers.length = 0;
    this.#comebacks.close();
  }

  async #openOne({ doors }: Plan, { door: index, role }: SocketPlan): Promise<void> {
    const door = doors[index];
    if (!door) throw new Error(`no door ${index}`);
    if (role.kind === 'returner') return await this.#comebacks.open(door, role.isAudited);
    const ticket = door.ticket && (await fetchTicket(door.port, door.ticket));
    const socket = await RawSocket.open(door, ticket);
    socket.onRead = this.#spin.noteRead;
    this.#sockets.push(socket);
    switch (role.kind) {
      case 'listener':
        return;
      case 'sampled':
        socket.ear = (bytes, length) => this.#sample(bytes.subarray(0, length));
        return;
      case 'sender':
        this.#senders.push(new Sender(role, socket, door, this.#answer));
        this.#sources.push({ id: role.id, socket, door });
        return;
    }
  }

  #sample(chunk: Buffer): void {
    if (!this.#delivery.isOn) return;
    const now = nowUs();
    eachSendTime(chunk, (sentAt) => this.#delivery.record((now - sentAt) / 1000));
  }
}
