import { createHash } from 'node:crypto';
import type { WebFile } from '../../apps/app-pages/web-file.ts';

/** Its hash is made when it is first asked for: a service has hundreds of these from its start. */
export function fileInMemory(body: Buffer, type: string): WebFile {
  let hash: string | undefined;
  const id = () => (hash ??= createHash('sha256').update(body).digest('hex'));
  return {
    type,
    bytes: body.length,
    get id() {
      return id();
    },
    get etag() {
      return `W/"${id().slice(0, 22)}"`;
    },
    read: async () => body,
  };
}
