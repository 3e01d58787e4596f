/** The hues of rooms. Without a schema: the web client loads this file, and must not load a library of schemas. */

/**
 * In degrees of OKLCH, in the order that ids count them. None is from 25 to 75, which is the accent's part of the
 * circle. Names and order stay: a room without a choice has its hue by its place here.
 */
export const ROOM_HUES = {
  gold: 95,
  leaf: 135,
  teal: 180,
  sky: 230,
  indigo: 278,
  violet: 305,
  plum: 335,
  rose: 10,
} as const;

export type RoomHue = keyof typeof ROOM_HUES;
/** In that order. */
export const ROOM_HUE_NAMES = Object.keys(ROOM_HUES) as [RoomHue, ...RoomHue[]];

/**
 * The hue of a room: the chosen one, or one by its id. A server from before hues sends none, and a newer one may send a
 * name that is not known here: both count as no choice.
 */
export function hueOf({ id, hue }: { id: number; hue?: string | null | undefined }): RoomHue {
  const chosen = ROOM_HUE_NAMES.find((name) => name === hue);
  return chosen ?? ROOM_HUE_NAMES[id % ROOM_HUE_NAMES.length] ?? 'gold';
}
