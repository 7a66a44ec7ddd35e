/** A file, or a folder by a key that ends in `/`; as sources and inputs of the API name it. */
export interface ChosenFile {
  readonly dataBucketId: string;
  readonly dataBucketKey: string;
}

/** What of a key people call its name. */
export const nameOfKey = (key: string) => key.replace(/\/$/, '').split('/').at(-1) ?? key;

/** The folders on the way to a prefix: each with its name and its own prefix. */
export function foldersOf(prefix: string): { name: string; prefix: string }[] {
  const names = prefix.split('/').filter(Boolean);
  return names.map((name, index) => ({ name, prefix: `${names.slice(0, index + 1).join('/')}/` }));
}
