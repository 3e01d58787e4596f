/** The previews of the links in a message, as the message has them. */
import { z } from 'zod';
import { fileKey } from './attached-files.ts';
import { count } from './fields.ts';

/** What the page behind a link says of itself. It is text alone, whoever has written it. */
export const linkPreview = z.object({
  /** The link, as the text has it. */
  url: z.string(),
  /** Empty: the link leads to the picture itself, and its name says nothing. */
  title: z.string(),
  /** How the site calls itself. Absent: it does not; the host of the link says it. */
  site: z.string().optional(),
  description: z.string().optional(),
  /** A file of the server, and its size in pixels. */
  image: z.object({ key: fileKey, width: count, height: count, alt: z.string().optional() }).optional(),
});

export type LinkPreview = z.infer<typeof linkPreview>;
