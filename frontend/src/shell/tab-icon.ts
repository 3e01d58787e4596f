import { roomHue } from '../ui/hue.ts';
import { tileLetter } from '../ui/initials.ts';

export interface TabRoom {
  readonly roomId: number;
  readonly name: string;
  readonly emoji: string | null;
  readonly hue: string | null;
  /** Something is unread, anywhere: a warm dot in the corner. */
  readonly isNews: boolean;
}

const MARK = '/favicon.svg';
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Makes the open room's door the icon of the tab; null: the mark, which is the application's unless one is given. */
export function showTabIcon(room: TabRoom | null, mark = MARK): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (link !== null) link.href = room === null ? mark : drawDoor(room);
}

/** One picture for both themes: an arch in a strong colour with a white letter. */
export function drawDoor({ roomId, name, emoji, hue, isNews }: TabRoom): string {
  const letter = (emoji ?? tileLetter(name)).replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? '');
  const degrees = roomHue({ id: roomId, hue });
  const dot = isNews ? '<circle cx="25" cy="7" r="6.5" fill="#f97316" stroke="#fff" stroke-width="2"/>' : '';
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    `<path d="M3 32V14a13 13 0 0 1 26 0v18z" fill="oklch(50% 0.15 ${degrees})"/>` +
    '<text x="16" y="25" text-anchor="middle" font-family="system-ui,sans-serif" font-size="17" font-weight="700" ' +
    `fill="#fff">${letter}</text>${dot}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
