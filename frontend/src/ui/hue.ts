import type { CSSProperties } from 'react';
import { hueOf, ROOM_HUES } from '../../../client/index.ts';

/** The hue outside of rooms, in degrees: that of the product. */
export const HALL_HUE = ROOM_HUES.indigo;

/** A hue in degrees, for a person. Steps of the golden angle keep neighbouring ids far apart. */
export function personHue(id: number): number {
  return Math.round((id * 137.508) % 360);
}

/** The hue of a room, in degrees: the chosen one, or one by its id. */
export function roomHue(room: { readonly id: number; readonly hue?: string | null | undefined }): number {
  return ROOM_HUES[hueOf(room)];
}

/** Gives an element a hue of its own. `tokens.css` has the colours made of it, for what is marked `data-hue`. */
export function hueStyle(degrees: number): CSSProperties {
  return { '--own-hue': degrees } as CSSProperties;
}
