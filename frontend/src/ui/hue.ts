import type { CSSProperties } from 'react';

/** A hue in degrees, for a person or a room. Steps of the golden angle keep neighbouring ids far apart. */
export function hueOf(id: number): number {
  return Math.round((id * 137.508) % 360);
}

/** Gives an element the hue of an id. `tokens.css` has the colours made of it, for what is marked `data-hue`. */
export function hueStyle(id: number): CSSProperties {
  return { '--hue': hueOf(id) } as CSSProperties;
}
