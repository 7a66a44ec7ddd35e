/** A file, or a folder (its key ends in `/`), as sources and inputs of the API name it. */
export interface ChosenFile {
  readonly dataBucketId: string;
  readonly dataBucketKey: string;
}

/** Where jobs keep their files; listed only on request. */
export const jobsFolder = '.jobs/';

/** The last segment of a key: the file's or folder's name. */
export const nameOfKey = (key: string) => key.replace(/\/$/, '').split('/').at(-1) ?? key;

/** The folders along a prefix, each with its name and its own prefix. */
export function foldersOf(prefix: string): { name: string; prefix: string }[] {
  const names = prefix.split('/').filter(Boolean);
  return names.map((name, index) => ({ name, prefix: `${names.slice(0, index + 1).join('/')}/` }));
}
