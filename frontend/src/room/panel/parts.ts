import type { Panel } from '../../stores/route.ts';

/** A part of a room's settings. */
export type Part = Exclude<Panel, 'people' | 'settings'>;

/** Those that everybody has, in the order of their rows. */
export const PARTS: readonly Part[] = ['about', 'members', 'notifications', 'pins', 'files', 'invites'];
