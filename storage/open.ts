import { fileURLToPath } from 'node:url';
import { openFsStore } from './fs.ts';
import type { ObjectStore } from './object-store.ts';
import { parseS3Setting, type S3Credentials } from './s3-setting.ts';

/**
 * Opens the store a setting names: `file:/absolute/folder`, `file:folder`, relative to the working folder, or
 * `s3://bucket/prefix?endpoint=…&region=…`. Throws an Error that says what is wrong with the setting, and what the
 * backend throws when it cannot be used. `warn` receives one line for each failure outside a request.
 * Without `credentials`, those of S3 come from a source that the SDK of AWS knows.
 */
export async function openStore(
  setting: string,
  warn?: (line: string) => void,
  credentials?: S3Credentials,
): Promise<ObjectStore> {
  const scheme = setting.slice(0, setting.indexOf(':') + 1);
  switch (scheme) {
    case 'file:':
      return await openFsStore(folderOf(setting), warn);
    case 's3:': {
      const s3Setting = parseS3Setting(setting);
      const { openS3Store } = await import('./s3.ts'); // the SDK takes memory that a disk does not need
      return await openS3Store(s3Setting, { ...(warn && { warn }), ...(credentials && { credentials }) });
    }
    default:
      throw new Error(
        `Not a storage setting: it starts with “${scheme}”. Use file:/path/to/a/folder or s3://bucket.`,
      );
  }
}

function folderOf(setting: string): string {
  const path = setting.slice('file:'.length);
  if (path === '')
    throw new Error(`The storage setting '${setting}' names no folder: use file:/path/to/a/folder.`);
  // In a URL an escape means a character; in the short forms a path is taken as it stands.
  return path.startsWith('//') ? fileURLToPath(setting) : path;
}
