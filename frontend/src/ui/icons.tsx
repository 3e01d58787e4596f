/**
 * The client's icons, on a 20 px grid with one stroke width. They are decoration: the button around them has the name.
 */
import type { ReactNode } from 'react';

export function icon(shape: ReactNode) {
  return function Icon({ size = 20 }: { readonly size?: number }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 20 20"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {shape}
      </svg>
    );
  };
}

export const PlusIcon = icon(<path d="M10 4.5v11M4.5 10h11" />);
export const SearchIcon = icon(
  <>
    <circle cx="9" cy="9" r="5" />
    <path d="m13 13 3.5 3.5" />
  </>,
);
export const CloseIcon = icon(<path d="m5.5 5.5 9 9m0-9-9 9" />);
export const BackIcon = icon(<path d="M16 10H4.5M9.5 5l-5 5 5 5" />);
export const UpIcon = icon(<path d="M10 15.5v-11M5.5 9 10 4.5 14.5 9" />);
export const ClockIcon = icon(
  <>
    <circle cx="10" cy="10" r="6.5" />
    <path d="M10 6.5V10l2.5 1.5" />
  </>,
);
export const ChevronIcon = icon(<path d="m6 8 4 4 4-4" />);
export const ChevronsIcon = icon(<path d="m7 8 3-3 3 3M7 12l3 3 3-3" />);
export const PencilIcon = icon(<path d="m12.8 4.2 3 3L7.3 15.7l-3.8.8.8-3.8 8.5-8.5ZM11 6l3 3" />);
export const LinkIcon = icon(
  <path d="M8.5 11.5a3 3 0 0 0 4.2 0l2.6-2.6a3 3 0 0 0-4.2-4.2l-.9.9M11.5 8.5a3 3 0 0 0-4.2 0l-2.6 2.6a3 3 0 0 0 4.2 4.2l.9-.9" />,
);
export const CheckIcon = icon(<path d="m4.5 10.5 3.5 3.5 7.5-8" />);
export const CopyIcon = icon(
  <>
    <rect x="7" y="7" width="9" height="9" rx="2" />
    <path d="M4.5 12.5A1.5 1.5 0 0 1 4 11.4V6a2 2 0 0 1 2-2h5.4a1.5 1.5 0 0 1 1.1.5" />
  </>,
);
export const MoreIcon = icon(<path d="M4.5 10v.01M10 10v.01M15.5 10v.01" strokeWidth="2.6" />);
