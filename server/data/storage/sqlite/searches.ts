/** The reads that may have to scan much. In pieces, so that reads of other kinds never wait for a whole scan. */
import type { PeopleCursor } from '../queries/people.ts';
import type { Promised } from '../store/operation.ts';
import type { Reads } from '../store.ts';
import { Piecewise } from './piecewise.ts';
import type { ReaderHandle } from './reader-handle.ts';

/** Rows that a piece scans: about a millisecond. */
const SCAN = { rooms: 4000, words: 1000, members: 2000 };

type Searches = Pick<Promised<Reads>, 'listRooms' | 'searchPeople' | 'members'>;

/** `whole`: the same reads in one piece, for those that scan nothing. */
export function createSearches(reader: ReaderHandle, whole: Searches): Searches {
  const piecewise = new Piecewise();
  return {
    async listRooms(query) {
      if (!query.keyPart) return await whole.listRooms(query);
      return await piecewise.run({
        viewerId: query.userId,
        limit: query.limit,
        idOf: (room) => room.id,
        piece: (from?: number) => reader.run('searchRoomsPiece', { ...query, from, scan: SCAN.rooms }),
      });
    },

    async searchPeople(query) {
      const scan = query.amongPeopleOf === undefined ? SCAN.words : SCAN.members;
      return await piecewise.run({
        viewerId: query.viewerId,
        limit: query.limit,
        idOf: (person) => person.id,
        piece: (from?: PeopleCursor) => reader.run('searchPeoplePiece', { ...query, from, scan }),
      });
    },

    async members(query) {
      if (!query.start) return await whole.members(query);
      return await piecewise.run({
        viewerId: query.viewerId,
        limit: query.limit,
        idOf: (member) => member.userId,
        piece: (from?: number) => reader.run('membersPiece', { ...query, from, scan: SCAN.members }),
      });
    },
  };
}
