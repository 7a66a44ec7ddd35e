import { BytesError } from '@platen/formats/bytes/bytes';
import { readDocument, type FindFile } from '@platen/formats/i3s/scene-files';
import { readSceneLayer, type SceneLayer } from '@platen/formats/i3s/scene-layer';
import type { InspectionContext, Inspector, Subject } from '../inspector.ts';
import { describeSceneLayer } from './describe-scene-layer.ts';
import type { SceneLayerFiles } from './scene-layer-files.ts';

const maxListed = 2000;
const document =
  /(?:^|\/)(?:3dSceneLayer\.json(?:\.gz)?|SceneServer\/layers\/\d+\/(?:index\.json(?:\.gz)?))$/i;

/** Inspects I3S: the folder of a scene layer, from a package (.slpk) or as stored by a service. */
export const inspectSceneLayer: Inspector = async (subject, context) => {
  if (subject.bytes !== undefined) return undefined;
  const folder = await findFolder(subject);
  if (folder === undefined) return undefined;
  const find: FindFile = (path) => subject.find(folder + path);
  const files = await readLayer(find, folder, context);
  if (files === undefined)
    return { format: 'i3s', formatTitle: 'I3S', kind: 'sceneLayer', layers: [], uses: [] };
  return describeSceneLayer(subject, files, context);
};

/** @returns the path, ending with /, or empty for the root */
async function findFolder(subject: Subject): Promise<string | undefined> {
  for (const name of ['3dSceneLayer.json.gz', '3dSceneLayer.json'])
    if ((await subject.find(name)) !== undefined) return '';
  const files = await subject.list(maxListed);
  const depth = (name: string) => name.split('/').length;
  const [nearest] = files
    .map(({ name }) => name)
    .filter((name) => document.test(name))
    // the layer of a building is above its sublayers
    .toSorted((a, b) => depth(a) - depth(b));
  return nearest?.slice(0, nearest.lastIndexOf('/') + 1);
}

async function readLayer(
  find: FindFile,
  folder: string,
  { issues }: InspectionContext,
): Promise<SceneLayerFiles | undefined> {
  const name = `${folder}3dSceneLayer.json`;
  try {
    const read = (await readDocument(find, '3dSceneLayer')) ?? (await readDocument(find, 'index'));
    const layer: SceneLayer | undefined = readSceneLayer(read?.value);
    if (layer !== undefined) return { layer: await withSublayer(layer, find), find, folder };
    const what = read?.value === undefined ? 'is not valid JSON' : 'has no layer type and store';
    issues.add('brokenFile', `${name} ${what}: the scene layer is damaged. Export it again.`);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('brokenFile', `${name}: ${error.message}.`);
  }
  return undefined;
}

/** A building has no nodes of its own, so they are described by its first sublayer. */
async function withSublayer(layer: SceneLayer, find: FindFile): Promise<SceneLayer> {
  const [first] = layer.sublayers;
  if (first === undefined) return layer;
  const below = readSceneLayer((await readDocument(find, `sublayers/${first.id}/3dSceneLayer`))?.value);
  if (below === undefined) return layer;
  return {
    ...layer,
    version: /^\d+\.\d/.test(layer.version ?? '') ? layer.version : below.version,
    extent: layer.extent ?? below.extent,
    fields: layer.fields.length > 0 ? layer.fields : below.fields,
    nodesPerPage: below.nodesPerPage,
    textureEncodings: below.textureEncodings,
    geometryOffset: below.geometryOffset,
    geometryEncodings: below.geometryEncodings,
  };
}
