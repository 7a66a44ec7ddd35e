import { fileURLToPath } from 'node:url';
import { openFsStore } from './fs.ts';
import type { ObjectStore } from './object-store.ts';

/**
 * Opens the store a setting names: `file:/absolute/folder` or `file:folder`, relative to the working folder.
 * Throws an Error that says what is wrong with the setting, and what the backend throws when it cannot be used.
 */
export async function openStore(setting: string): Promise<ObjectStore> {
  const scheme = setting.slice(0, setting.indexOf(':') + 1);
  switch (scheme) {
    case 'file:':
      return await openFsStore(folderOf(setting));
    case 's3:':
      throw new Error('Object storage on S3 comes with a later version: use file:/path/to/a/folder for now.');
    default:
      throw new Error(`Not a storage setting: '${setting}'. Use file:/path/to/a/folder.`);
  }
}

function folderOf(setting: string): string {
  const path = setting.slice('file:'.length);
  if (path === '')
    throw new Error(`The storage setting '${setting}' names no folder: use file:/path/to/a/folder.`);
  // In a URL an escape means a character; in the short forms a path is taken as it stands.
  return path.startsWith('//') ? fileURLToPath(setting) : path;
}
