import { hueOf } from '../ui/hue.ts';
import { tileLetter } from '../ui/initials.ts';

export interface TabRoom {
  readonly roomId: number;
  readonly name: string;
  /** Something is unread, anywhere: a warm dot in the corner. */
  readonly isNews: boolean;
}

const MARK = '/favicon.svg';
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Makes the open room's tile the icon of the tab; null: the mark of the application. */
export function showTabIcon(room: TabRoom | null): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (link !== null) link.href = room === null ? MARK : drawTile(room);
}

/** One picture for both themes: a strong colour with a white letter. */
export function drawTile({ roomId, name, isNews }: TabRoom): string {
  const letter = tileLetter(name).replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? '');
  const dot = isNews ? '<circle cx="25" cy="7" r="6.5" fill="#f97316" stroke="#fff" stroke-width="2"/>' : '';
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    `<rect width="32" height="32" rx="9" fill="oklch(52% 0.15 ${hueOf(roomId)})"/>` +
    '<text x="16" y="23" text-anchor="middle" font-family="system-ui,sans-serif" font-size="19" font-weight="700" ' +
    `fill="#fff">${letter}</text>${dot}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
