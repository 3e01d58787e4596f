/** The icons of what is loaded when first shown. Those of the first paint are in icons.tsx. */
import { icon } from './icons.tsx';

export const EyeIcon = icon(
  <>
    <path d="M2.5 10S5.2 5 10 5s7.5 5 7.5 5-2.7 5-7.5 5-7.5-5-7.5-5Z" />
    <circle cx="10" cy="10" r="2.2" />
  </>,
);
export const EyeOffIcon = icon(
  <path d="M8.3 5.2A7 7 0 0 1 10 5c4.8 0 7.5 5 7.5 5a12 12 0 0 1-1.9 2.5M5.4 6.3A11.5 11.5 0 0 0 2.5 10s2.7 5 7.5 5a7 7 0 0 0 3.3-.8M8.5 8.4a2.2 2.2 0 0 0 3.1 3.1M3.5 3.5l13 13" />,
);
export const SunIcon = icon(
  <>
    <circle cx="10" cy="10" r="3.2" />
    <path d="M10 2.5V4M10 16v1.5M17.5 10H16M4 10H2.5M15.3 4.7l-1 1M5.7 14.3l-1 1M15.3 15.3l-1-1M5.7 5.7l-1-1" />
  </>,
);
export const MoonIcon = icon(<path d="M16 11.8A6.5 6.5 0 0 1 8.2 4a6.3 6.3 0 1 0 7.8 7.8Z" />);
export const AutoIcon = icon(
  <>
    <circle cx="10" cy="10" r="6.2" />
    <path d="M10 3.8a6.2 6.2 0 0 1 0 12.4Z" fill="currentColor" />
  </>,
);
export const SignOutIcon = icon(
  <path d="M12.5 6.5V5A1.5 1.5 0 0 0 11 3.5H5A1.5 1.5 0 0 0 3.5 5v10A1.5 1.5 0 0 0 5 16.5h6a1.5 1.5 0 0 0 1.5-1.5v-1.5M8 10h9m-2.8-2.8L17 10l-2.8 2.8" />,
);
export const KeyboardIcon = icon(
  <>
    <rect x="2.5" y="5" width="15" height="10" rx="2" />
    <path d="M5.5 8.2v.01M8.5 8.2v.01M11.5 8.2v.01M14.5 8.2v.01M7 11.8h6" />
  </>,
);
export const WriteIcon = icon(
  <path d="M10 4H5.5A1.5 1.5 0 0 0 4 5.5v9A1.5 1.5 0 0 0 5.5 16h9a1.5 1.5 0 0 0 1.5-1.5V10m-1.8-6.3 2.1 2.1-6.2 6.2-2.6.5.5-2.6 6.2-6.2Z" />,
);
export const DoorIcon = icon(<path d="M5 16.5V9a5 5 0 0 1 10 0v7.5M12.3 11v.2M2.8 16.5h14.4" />);
export const PersonIcon = icon(
  <>
    <circle cx="10" cy="7.5" r="3" />
    <path d="M4.5 16.5c.6-3 2.8-4.5 5.5-4.5s4.9 1.5 5.5 4.5" />
  </>,
);
export const InviteIcon = icon(
  <>
    <circle cx="8" cy="7" r="3" />
    <path d="M2.8 16.2a5.2 5.2 0 0 1 10.4 0M15 6.5v5m-2.5-2.5h5" />
  </>,
);
export const CommandIcon = icon(<path d="m5 6 4 4-4 4M10.5 14.5H15" />);
export const BoldIcon = icon(<path d="M6 4h4.5a3 3 0 0 1 0 6H6V4Zm0 6h5.2a3 3 0 0 1 0 6H6v-6Z" />);
export const ItalicIcon = icon(<path d="M8.5 4H14M6 16h5.5M11.5 4l-3 12" />);
export const CodeIcon = icon(<path d="M7 6 3 10l4 4m6-8 4 4-4 4" />);
export const ListIcon = icon(<path d="M8 5.5h8.5M8 10h8.5M8 14.5h8.5M4 5.5v.01M4 10v.01M4 14.5v.01" />);
export const GearIcon = icon(
  <>
    <circle cx="10" cy="10" r="2.4" />
    <path d="M10 3v2M10 15v2M3 10h2M15 10h2M5 5l1.5 1.5M13.5 13.5 15 15M15 5l-1.5 1.5M6.5 13.5 5 15" />
  </>,
);
export const ShieldIcon = icon(<path d="M10 3 4.5 5v4.6c0 3.3 2.2 6 5.5 7.4 3.3-1.4 5.5-4.1 5.5-7.4V5Z" />);
export const DownIcon = icon(<path d="M10 4.5v11M5.5 11l4.5 4.5 4.5-4.5" />);
export const AlertIcon = icon(
  <>
    <circle cx="10" cy="10" r="6.5" />
    <path d="M10 6.8v3.7M10 13.2v.01" />
  </>,
);
export const SmileIcon = icon(
  <>
    <circle cx="10" cy="10" r="6.8" />
    <path d="M7 11.6a3.6 3.6 0 0 0 6 0M7.8 8v.01M12.2 8v.01" />
  </>,
);
export const AtIcon = icon(
  <>
    <circle cx="10" cy="10" r="2.7" />
    <path d="M12.7 7.3v3.4c0 2.4 3.8 2.3 3.8-.9a6.5 6.5 0 1 0-2.7 5.4" />
  </>,
);
export const FormatIcon = icon(
  <path d="M3 15 7 5l4 10M4.4 11.6h5.2M16.5 15V9M16.5 12a2.3 2.5 0 1 1-4.6 0 2.3 2.5 0 0 1 4.6 0" />,
);
export const PinIcon = icon(<path d="M7 3.5h6l-.8 5 2.3 2.5v1H5.5v-1l2.3-2.5-.8-5ZM10 12v5" />);
export const TrashIcon = icon(<path d="M4.5 6h11M8 6V4h4v2m-6 0 .6 10h6.8L14 6M8.7 9v4m2.6-4v4" />);
export const BookmarkIcon = icon(<path d="M6 3.5h8v13l-4-3-4 3v-13Z" />);
export const InboxIcon = icon(
  <path d="M3.5 11.5 5.6 5a1.5 1.5 0 0 1 1.4-1h6a1.5 1.5 0 0 1 1.4 1l2.1 6.5V15a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 15v-3.5Zm0 0h3.7l1.2 2h3.2l1.2-2h3.7" />,
);
export const ReplyIcon = icon(<path d="M8 5 3.5 9.5 8 14M4 9.5h7a5 5 0 0 1 5 5v1" />);
export const ThreadIcon = icon(<path d="M4 4.5h12v8.5H9.5L6 16v-3H4V4.5ZM7 8h6m-6 2.5h4" />);
export const StarIcon = icon(
  <path d="m10 3.2 2.1 4.3 4.7.7-3.4 3.3.8 4.7-4.2-2.2-4.2 2.2.8-4.7-3.4-3.3 4.7-.7Z" />,
);
export const StarOffIcon = icon(
  <path d="M8.5 6.3 10 3.200l2.1 4.3 4.7.7-3.4 3.3.8 4.7-4.2-2.2-4.2 2.2.8-4.7-3.4-3.3 2.3-.400M3 3l14 14" />,
);
export const BellIcon = icon(
  <path d="M5.5 13.500V9a4.5 4.5 0 0 1 9 0v4.500l1.2 1.500H4.300ZM8.5 15.500a1.6 1.6 0 0 0 3 0" />,
);
export const BellOffIcon = icon(
  <path d="M6.2 6.600A4.5 4.5 0 0 1 14.5 9v3.500M13 15H4.300l1.2-1.500V9.500M8.5 15.500a1.6 1.6 0 0 0 3 0M3.5 3.500l13 13" />,
);
export const UnreadIcon = icon(
  <>
    <path d="M11 4.500H6A2 2 0 0 0 4 6.500v8l3-2.500h7a2 2 0 0 0 2-2V9.5" />
    <circle cx="15" cy="5.5" r="2" fill="currentColor" />
  </>,
);
export const KeyIcon = icon(
  <>
    <circle cx="7" cy="13" r="3.2" />
    <path d="M9.4 10.6 16 4m-3 3 2.3 2.3M11.3 8.700l1.7 1.7" />
  </>,
);
export const DeviceIcon = icon(
  <>
    <rect x="3.5" y="4.5" width="13" height="8.5" rx="1.5" />
    <path d="M2.5 16h15" />
  </>,
);
export const BlockIcon = icon(
  <>
    <circle cx="10" cy="10" r="6.5" />
    <path d="m5.5 5.5 9 9" />
  </>,
);
export const ChartIcon = icon(<path d="M4 16.500h12.500M6 13.500v-3m4 3v-7m4 7v-5" />);
export const LogIcon = icon(<path d="M5.5 3.500h9v13h-9ZM8 7h4M8 10h4M8 13h2.5" />);
export { MoreIcon } from './icons.tsx';
