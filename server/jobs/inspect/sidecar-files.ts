import type { Db } from '../../base/database/database.ts';
import { findFilesAfter, findObject, type ObjectFile } from '../../files/objects/store.ts';

const maxSidecars = 100;
/** Looked at in the folder of a model. */
const maxNear = 1000;

const shapefile = ['dbf', 'shx', 'prj', 'cpg'];
const worldFiles = ['wld', 'prj', 'aux.xml'];
const textures = ['bin', 'mtl', 'png', 'jpg', 'jpeg', 'webp', 'ktx2'];

/** Endings of the sidecar files of a format: with the same name, or anywhere in the folder. */
const sidecarEndings: Readonly<
  Record<string, { readonly sameName?: readonly string[]; readonly inFolder?: readonly string[] }>
> = {
  shp: { sameName: shapefile },
  jpg: { sameName: ['jgw', 'jpgw', 'jpg.aux.xml', ...worldFiles] },
  jpeg: { sameName: ['jgw', 'jpgw', 'jpegw', 'jpeg.aux.xml', ...worldFiles] },
  png: { sameName: ['pgw', 'pngw', 'png.aux.xml', ...worldFiles] },
  webp: { sameName: ['wpw', 'webpw', ...worldFiles] },
  tif: { sameName: ['tfw', 'tifw', 'tif.aux.xml', 'tif.ovr', ...worldFiles] },
  tiff: { sameName: ['tfw', 'tifw', 'tiffw', 'tiff.aux.xml', 'tiff.ovr', ...worldFiles] },
  jp2: { sameName: ['j2w', 'jp2w', 'jp2.aux.xml', ...worldFiles] },
  j2k: { sameName: ['jkw', 'j2kw', 'j2k.aux.xml', ...worldFiles] },
  asc: { sameName: ['prj'] },
  obj: { inFolder: textures },
  gltf: { inFolder: textures },
};

/** For each ending of a sidecar file, the endings of files that it may belong to. */
const owners = new Map<string, string[]>();
for (const [owner, { sameName = [] }] of Object.entries(sidecarEndings))
  for (const ending of sameName) owners.set(ending, [...(owners.get(ending) ?? []), owner]);

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
  for (const [companion, endings] of owners) {
    if (!key.toLowerCase().endsWith(`.${companion}`)) continue;
    const stem = key.slice(0, -companion.length);
    for (const ending of endings) {
      for (const cased of [ending, ending.toUpperCase()]) {
        const owner = await findObject(db, dataBucketId, stem + cased);
        if (owner) return owner;
      }
    }
  }
  return undefined;
}

/** The key before the ending, including the dot, and the ending in lower case. */
export function splitEnding(key: string): [stem: string, ending: string] {
  const dot = key.lastIndexOf('.');
  return dot <= key.lastIndexOf('/') ? [key, ''] : [key.slice(0, dot + 1), key.slice(dot + 1).toLowerCase()];
}
