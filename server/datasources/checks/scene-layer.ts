import { DocumentFault, maxDocumentBytes, parseObject, unpack } from '../parsing/document.ts';
import type { Data, DataFile } from './data.ts';
import { UnusableData } from './refused.ts';

const shown = new Set(['3DObject', 'IntegratedMesh', 'Building']);
const paths = ['3dSceneLayer.json.gz', '3dSceneLayer.json', 'SceneServer/layers/0', 'layers/0', '0'];

interface SceneLayer {
  readonly layerType?: unknown;
  readonly spatialReference?: { readonly wkid?: unknown };
  readonly store?: { readonly version?: unknown };
}

/** An I3S scene layer, packed or not: the viewer shows three kinds, in WGS84 only. @throws UnusableData, ZipError */
export async function checkSceneLayer(data: Data): Promise<void> {
  if (data.file && data.kind !== 'zip' && !/json/.test(data.file.path))
    throw new UnusableData('Name an SLPK (a scene layer package), or the folder of an unpacked one.');
  const file = data.file ?? (await findLayer(data));
  if (!file)
    throw new UnusableData(
      `There is no 3dSceneLayer.json in the ${data.container}, so it is not an I3S scene layer.`,
    );
  const { layerType, spatialReference, store } = await readLayer(file);
  if (typeof layerType === 'string' && !shown.has(layerType))
    throw new UnusableData(
      `It is a scene layer of the type ${layerType}; the viewer shows 3DObject, IntegratedMesh and Building.`,
    );
  const wkid = spatialReference?.wkid;
  if (typeof wkid === 'number' && wkid !== 4326)
    throw new UnusableData(
      `It is in the coordinate system ${wkid}, but the viewer shows scene layers in WGS84 (4326) only: export it again as a global scene in WGS84.`,
    );
  if (typeof store?.version === 'string' && !store.version.startsWith('1.'))
    throw new UnusableData(
      `It is I3S ${store.version}, but the viewer reads the versions 1.6 to 1.8: export it again as one of these.`,
    );
}

async function findLayer(data: Data): Promise<DataFile | undefined> {
  for (const path of paths) {
    const file = await data.find(path);
    if (file) return file;
  }
  return undefined;
}

/** A layer that the check accepts can be served: the limits are the same. */
async function readLayer({ path, bytes }: DataFile): Promise<SceneLayer> {
  try {
    const stored = await bytes.read(0, Math.min(bytes.size, maxDocumentBytes + 1));
    const isPacked = stored[0] === 0x1f && stored[1] === 0x8b;
    return parseObject(unpack({ bytes: stored, packing: isPacked ? 'gzip' : 'none' }), path);
  } catch (error) {
    if (error instanceof DocumentFault) throw new UnusableData(error.message, { cause: error });
    throw error;
  }
}
