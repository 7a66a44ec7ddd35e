import { createHash } from 'node:crypto';

/** A strong ETag of what is sent as it is. */
export const strongTag = (content: string | Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** A weak ETag of a text that is sent in several encodings. */
export const weakTag = (content: string | Uint8Array): string => `W/${strongTag(content)}`;
