import { BytesError } from '@platen/formats/bytes/bytes';
import { readDocument, type FindFile } from '@platen/formats/i3s/scene-files';
import { readSceneLayer, type SceneLayer } from '@platen/formats/i3s/scene-layer';
import type { Inspecting, Inspector, Subject } from '../inspector.ts';
import { describeSceneLayer } from './describe-scene-layer.ts';
import type { FoundLayer } from './found-layer.ts';

const mostListed = 2000;
const document =
  /(?:^|\/)(?:3dSceneLayer\.json(?:\.gz)?|SceneServer\/layers\/\d+\/(?:index\.json(?:\.gz)?))$/i;

/** I3S: the folder of a scene layer, as a package (.slpk) has it or a service stores it. */
export const inspectSceneLayer: Inspector = async (subject, inspecting) => {
  if (subject.bytes !== undefined) return undefined;
  const folder = await findFolder(subject);
  if (folder === undefined) return undefined;
  const find: FindFile = (path) => subject.find(folder + path);
  const found = await readLayer(find, folder, inspecting);
  if (found === undefined)
    return { format: 'i3s', formatTitle: 'I3S', kind: 'sceneLayer', layers: [], uses: [] };
  return describeSceneLayer(subject, found, inspecting);
};

/** Ends with /, or is empty. */
async function findFolder(subject: Subject): Promise<string | undefined> {
  for (const name of ['3dSceneLayer.json.gz', '3dSceneLayer.json'])
    if ((await subject.find(name)) !== undefined) return '';
  const files = await subject.list(mostListed);
  const depth = (name: string) => name.split('/').length;
  const [nearest] = files
    .map(({ name }) => name)
    .filter((name) => document.test(name))
    // of a building the layer itself lies above its sublayers
    .toSorted((a, b) => depth(a) - depth(b));
  return nearest?.slice(0, nearest.lastIndexOf('/') + 1);
}

async function readLayer(
  find: FindFile,
  folder: string,
  { issues }: Inspecting,
): Promise<FoundLayer | undefined> {
  const name = `${folder}3dSceneLayer.json`;
  try {
    const read = (await readDocument(find, '3dSceneLayer')) ?? (await readDocument(find, 'index'));
    const layer: SceneLayer | undefined = readSceneLayer(read?.value);
    if (layer !== undefined) return { layer: await withSublayer(layer, find), find, folder };
    const what = read?.value === undefined ? 'is no valid JSON' : 'has no layer type and store';
    issues.add('brokenFile', `${name} ${what}: the scene layer is damaged. Export it again.`);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    issues.add('brokenFile', `${name}: ${error.message}.`);
  }
  return undefined;
}

/** A building has no nodes of its own: what they are like, the first of its sublayers tells. */
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
