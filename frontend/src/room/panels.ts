/** The panels beside a room: one file of the build. */
export { RoomPanel } from './panel/RoomPanel.tsx';
export { PeoplePanel } from './people/PeoplePanel.tsx';
export { ThreadPanel } from './thread/ThreadPanel.tsx';
