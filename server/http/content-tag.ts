import { createHash, hash } from 'node:crypto';
import { mapInTurns } from '../base/map-in-turns.ts';

const tagOf = (digest: string) => `"${digest.slice(0, 22)}"`;

/** A strong ETag of what is sent as it is. */
export const strongTag = (content: string | Uint8Array): string =>
  tagOf(hash('sha256', content, 'base64url'));

/** A weak ETag of a text that is sent in several encodings. */
export const weakTag = (content: string | Uint8Array): string => `W/${strongTag(content)}`;

/** `weakTag` of the parts of a large text, which would take long at once. */
export async function weakTagOfParts(parts: readonly Uint8Array[]): Promise<string> {
  const digest = createHash('sha256');
  await mapInTurns(parts, (part) => digest.update(part));
  return `W/${tagOf(digest.digest('base64url'))}`;
}
