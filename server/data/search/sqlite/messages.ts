/** What travels between the event loop's thread and that of the index. */
import type { BuildState, Proposal, Proposed, RoomEntry, RoomWrite } from '../search-index.ts';
import type { StemLanguage } from '../stems.ts';

/** What the thread is started with. */
export interface IndexWorkerData {
  file: string;
  epoch: string;
  languages: readonly StemLanguage[];
}

/** What it does. */
export interface IndexCalls {
  isBegun(): boolean;
  begin(places: readonly { roomId: number; seq: number }[]): void;
  state(): BuildState | null;
  note(state: BuildState): boolean;
  places(roomIds: readonly number[]): { roomId: number; seq: number }[];
  writeAll(writes: readonly RoomWrite[]): boolean[];
  add(entries: readonly RoomEntry[]): boolean;
  propose(proposal: Proposal): Proposed;
  rooms(of: { after: number; limit: number }): number[];
  forget(roomId: number): boolean;
  clear(): void;
}

export type IndexCall = {
  [Name in keyof IndexCalls]: { id: number; name: Name; args: Parameters<IndexCalls[Name]>[0] };
}[keyof IndexCalls];

export type IndexReply =
  | { kind: 'done'; id: number; result: unknown }
  /** `isDamaged`: the file is no index any more. */
  | { kind: 'failed'; id: number; error: string; isDamaged: boolean }
  /** The file cannot be opened, and the thread ends. */
  | { kind: 'unusable'; error: string; isDamaged: boolean };
