import { possibleOwners, sidecarEndings } from '@platen/contract/sidecar-endings';
import type { Db } from '../../base/database/database.ts';
import { findFilesAfter, findObject, type ObjectFile } from '../../files/objects/store.ts';

const maxSidecars = 100;
/** Looked at in the folder of a model. */
const maxNear = 1000;

/** The sidecar files of a file, ordered by key. */
export async function sidecarFilesOf(db: Db, { key, dataBucketId }: ObjectFile): Promise<ObjectFile[]> {
  const [stem, ending] = splitEnding(key);
  const { sameName = [], inFolder = [] } = sidecarEndings[ending] ?? {};
  if (sameName.length > 0) {
    const near = await findFilesAfter(db, dataBucketId, { prefix: stem, after: stem, limit: maxSidecars });
    return near.filter((file) => sameName.includes(file.key.slice(stem.length).toLowerCase()));
  }
  if (inFolder.length === 0) return [];
  const folder = key.slice(0, key.lastIndexOf('/') + 1);
  const near = await findFilesAfter(db, dataBucketId, { prefix: folder, after: folder, limit: maxNear });
  const mayBelong = folder === '' ? mayBelongAtRoot : isShown;
  return near
    .filter((file) => file.key !== key && mayBelong(file.key.slice(folder.length)))
    .filter((file) => inFolder.includes(splitEnding(file.key)[1]))
    .slice(0, maxSidecars);
}

/** Folders of results of jobs are hidden. */
const isShown = (path: string): boolean => !/(?:^|\/)\./.test(path);
/** All else of a data bucket lies in folders below its root: only those that are for textures belong to a model at the root. */
const mayBelongAtRoot = (path: string): boolean =>
  isShown(path) && /^(?:(?:images?|maps?|materials?|tex|textures?)\/)?[^/]+$/i.test(path);

/** The file that a sidecar file belongs to, if it exists; that file is inspected instead. */
export async function ownerOf(db: Db, { key, dataBucketId }: ObjectFile): Promise<ObjectFile | undefined> {
  for (const possible of possibleOwners(key)) {
    const owner = await findObject(db, dataBucketId, possible);
    if (owner) return owner;
  }
  return undefined;
}

/** The key before the ending, including the dot, and the ending in lower case. */
export function splitEnding(key: string): [stem: string, ending: string] {
  const dot = key.lastIndexOf('.');
  return dot <= key.lastIndexOf('/') ? [key, ''] : [key.slice(0, dot + 1), key.slice(dot + 1).toLowerCase()];
}
