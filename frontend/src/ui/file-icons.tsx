/** The icons of files. */
import { icon } from './icons.tsx';

export const FileIcon = icon(<path d="M5.5 3h6L15 6.5V17H5.5zM11.5 3v3.5H15" />);
export const DownloadIcon = icon(<path d="M10 3.5v9m-3.5-3.2L10 12.8l3.5-3.5M4.5 16.5h11" />);
export const ImageIcon = icon(
  <>
    <rect x="3" y="4" width="14" height="12" rx="2" />
    <circle cx="7.2" cy="8" r="1.3" />
    <path d="m3.5 14.5 4-3.7 2.6 2.3 3-3 3.6 3.4" />
  </>,
);
export const FilmIcon = icon(
  <>
    <rect x="3" y="4.5" width="14" height="11" rx="2" />
    <path d="m8.5 7.6 4 2.4-4 2.4z" />
  </>,
);
export const SoundIcon = icon(
  <>
    <path d="M7.5 14.5V5l8-1.5v9.5" />
    <circle cx="5.5" cy="14.5" r="2" />
    <circle cx="13.5" cy="13" r="2" />
  </>,
);
export const ZoomInIcon = icon(
  <path d="M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4Zm3.7 8.7L17 17M9 6.8v4.4M6.8 9h4.4" />,
);
export const ZoomOutIcon = icon(<path d="M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4Zm3.7 8.7L17 17M6.8 9h4.4" />);
export const LeftIcon = icon(<path d="m12 4.5-5.5 5.5 5.5 5.5" />);
export const RightIcon = icon(<path d="m8 4.5 5.5 5.5L8 15.5" />);
export const ToChatIcon = icon(<path d="M4 4.5h12v8.5H9.5L6 16v-3H4zM7.5 8.8h5" />);
