import { parseTask } from '../../base/parsers/parse-task.ts';
import type { Document } from './document.ts';
import type { parse as names } from './names/read-names.ts';
import type { parse as tilesetNames } from './names/read-tileset-names.ts';
import type { parse as folderMetadata } from './read-folder-metadata.ts';
import type { parse as mbtiles } from './read-mbtiles.ts';
import type { parse as pmtiles } from './read-pmtiles.ts';
import type { parse as sceneLayer } from './read-scene-layer.ts';
import type { parse as zipDirectory } from './read-zip-directory.ts';

const overheadBytes = 4096;
const weightOf = (document: Document) => overheadBytes + ('text' in document ? document.text.length : 0);

export const readFolderMetadata = parseTask<typeof folderMetadata>(
  new URL('./read-folder-metadata.ts', import.meta.url),
  weightOf,
);

export const readSceneLayer = parseTask<typeof sceneLayer>(
  new URL('./read-scene-layer.ts', import.meta.url),
  weightOf,
);

export const readMbtilesFile = parseTask<typeof mbtiles>(
  new URL('./read-mbtiles.ts', import.meta.url),
  ({ tileJson }) => weightOf(tileJson),
);

export const readPmtilesFile = parseTask<typeof pmtiles>(
  new URL('./read-pmtiles.ts', import.meta.url),
  ({ tileJson, layerJson }) => weightOf(tileJson) + weightOf(layerJson),
);

export const readNames = parseTask<typeof names>(new URL('./names/read-names.ts', import.meta.url), weightOf);

export const readTilesetNames = parseTask<typeof tilesetNames>(
  new URL('./names/read-tileset-names.ts', import.meta.url),
  weightOf,
);

export const readZipDirectory = parseTask<typeof zipDirectory>(
  new URL('./read-zip-directory.ts', import.meta.url),
);
