import { createHash } from 'node:crypto';

/** The path of a file with a hash of its content, so that it may be cached forever. @param path such as `/open/copy.js` */
export function hashedPath(path: string, body: string | Buffer): string {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  const end = path.lastIndexOf('.');
  return `${path.slice(0, end)}-${hash}${path.slice(end)}`;
}
