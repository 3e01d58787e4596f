import { create } from 'zustand';

interface RoomFilterStore {
  /** What is typed into the search field above the list of rooms. */
  readonly query: string;
}

export const useRoomFilter = create<RoomFilterStore>(() => ({ query: '' }));

export function filterRooms(query: string): void {
  useRoomFilter.setState({ query });
}

/** Shows all rooms again: a room was opened, or the user went on to something else. */
export function clearRoomFilter(): void {
  filterRooms('');
}
