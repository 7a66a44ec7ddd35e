import { createHash } from 'node:crypto';
import type { WebFile } from '../../apps/app-pages/web-file.ts';

export function fileInMemory(body: Buffer, type: string): WebFile {
  const id = createHash('sha256').update(body).digest('hex');
  return { id, type, bytes: body.length, etag: `W/"${id.slice(0, 22)}"`, read: async () => body };
}
