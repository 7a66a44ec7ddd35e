import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import { unpackedBytes } from '@platen/formats/bytes/unpacked-bytes';
import { asArray, asObject, asObjects, type JsonObject } from '@platen/formats/json/read-values';
import { parseAt } from '@platen/formats/json/scan-members';
import { openGltf } from '@platen/formats/mesh/open-gltf';
import { readTileContent, type TileContent } from '@platen/formats/tiles-3d/tile-content';
import { readTileset } from '@platen/formats/tiles-3d/tileset';
import type { SampledContent, TileWalk } from '@platen/formats/tiles-3d/walk-tiles';
import type { InspectionContext, Subject } from '../inspector.ts';
import { pathWithin } from '@platen/formats/tiles-3d/path-within';

/** A sample of the contents of a tileset. */
export interface ContentSample {
  /** Number of sampled contents by type. */
  readonly types: Record<string, number>;
  readonly opened: readonly OpenedContent[];
  readonly gltfRequired: Set<string>;
  /** Attributes of the first features (batches) of each content. */
  readonly attributes: JsonObject[];
  readonly classProperties: string[];
  missing: number;
  /** Number of contents that are external tilesets. */
  external: number;
}

export interface OpenedContent {
  readonly sampled: SampledContent;
  readonly bytes: Bytes;
  readonly content: TileContent;
}

const maxSampled = 24;
const maxNamed = 5;
const maxContentBytes = 64 << 20;
/** Of the memory, for the contents that are kept until the picture is drawn. */
const maxContentShare = 1 / 3;
const maxBatches = 3;

interface ContentContext {
  /** Folder of the tileset.json, ending with /, or empty. */
  readonly folder: string;
  readonly context: InspectionContext;
}

/** Opens contents from all over a tileset, the coarsest first. */
export async function sampleContents(
  subject: Subject,
  walk: TileWalk,
  { folder, context }: ContentContext,
): Promise<ContentSample> {
  const { issues, isOver, signal, memoryBytes } = context;
  let bytesLeft = memoryBytes * maxContentShare;
  const opened: OpenedContent[] = [];
  const contents: ContentSample = {
    types: {},
    opened,
    gltfRequired: new Set(),
    attributes: [],
    classProperties: [],
    missing: 0,
    external: 0,
  };
  const missing: string[] = [];
  const foreign: string[] = [];
  for (const sampled of spread(walk.sample)) {
    if (isOver() || bytesLeft <= 0) break;
    signal.throwIfAborted();
    // template URIs are resolved by subtrees
    if (sampled.uri.includes('{')) continue;
    const path = pathWithin(folder, sampled.uri);
    if (path === undefined) {
      foreign.push(sampled.uri);
      continue;
    }
    try {
      const found = await subject.find(path);
      if (found === undefined) {
        missing.push(path);
        continue;
      }
      const bytes = await unpackedBytes(
        found,
        Math.min(maxContentBytes, Math.floor(memoryBytes * maxContentShare)),
      );
      bytesLeft -= bytes.size;
      const content = await readTileContent(bytes);
      await addContent(contents, { bytes, content });
      if (content.fault !== undefined) issues.add('brokenTile', `${path}: ${content.fault}.`);
      opened.push({ sampled, bytes, content });
    } catch (error) {
      if (!(error instanceof BytesError)) throw error;
      issues.add('brokenTile', `${path}: ${error.message}.`);
    }
  }
  await checkSubtrees(subject, walk, { folder, missing });
  contents.missing = missing.length;
  reportReferences({ missing, foreign, looked: opened.length + missing.length + foreign.length }, context);
  return contents;
}

function spread(sample: readonly SampledContent[]): SampledContent[] {
  if (sample.length <= maxSampled) return [...sample];
  const half = maxSampled / 2;
  const rest = sample.slice(half);
  return [
    ...sample.slice(0, half),
    ...Array.from({ length: half }, (_, i) => rest[Math.floor(((i + 0.5) / half) * rest.length)]!),
  ];
}

async function addContent(
  contents: ContentSample,
  { bytes, content }: Pick<OpenedContent, 'bytes' | 'content'>,
): Promise<void> {
  const { types } = contents;
  const add = (type: string): void => {
    types[type] = (types[type] ?? 0) + 1;
  };
  if (content.batchTable !== undefined) addBatches(contents, content.batchTable);
  if (content.type === 'json') {
    const text = await bytes.read(0, Math.min(bytes.size, maxContentBytes));
    const value = parseAt(text, 0, text.length);
    if (readTileset(value) !== undefined) {
      contents.external++;
      add('json');
    } else add(asObject(value)?.['asset'] === undefined ? 'other' : 'gltf');
    return;
  }
  if (content.gltfOffset === undefined) {
    add(content.type);
    return;
  }
  const { gltf } = await openGltf(bytes, async () => undefined, content.gltfOffset);
  for (const name of gltf.extensionsRequired)
    if (contents.gltfRequired.size < 100) contents.gltfRequired.add(name);
  const modes = new Set(gltf.meshes.flat().map(({ mode }) => mode));
  const isPoints = modes.size === 1 && modes.has(0);
  add(content.type === 'glb' && isPoints ? 'glb (points)' : content.type);
}

function addBatches({ attributes }: ContentSample, table: JsonObject): void {
  if (attributes.length >= 50) return;
  for (let batch = 0; batch < maxBatches; batch++) {
    const values: Record<string, unknown> = {};
    for (const [name, column] of Object.entries(table).slice(0, 500)) {
      const value = asArray(column)?.[batch];
      if (value !== undefined) values[name] = value;
      else if (asObjects([column])[0]?.['byteOffset'] !== undefined) values[name] = undefined;
    }
    attributes.push(values);
  }
}

/** At least the first subtree of implicit tiles must exist. */
async function checkSubtrees(
  subject: Subject,
  { implicit }: TileWalk,
  { folder, missing }: { folder: string; missing: string[] },
): Promise<void> {
  for (const { subtrees } of implicit) {
    const first = subtrees?.replaceAll(/\{(?:level|x|y|z)\}/g, '0');
    const path = first === undefined ? undefined : pathWithin(folder, first);
    if (path !== undefined && (await subject.find(path)) === undefined) missing.push(path);
  }
}

interface References {
  readonly missing: readonly string[];
  readonly foreign: readonly string[];
  readonly looked: number;
}

function reportReferences({ missing, foreign, looked }: References, { issues }: InspectionContext): void {
  const some = (list: readonly string[]) =>
    list
      .slice(0, maxNamed)
      .map((name) => name.slice(0, 100))
      .join(', ') + (list.length > maxNamed ? ' …' : '');
  if (missing.length > 0) {
    const message = `${missing.length} of ${looked} checked contents are missing: ${some(missing)}. Upload the whole folder, or a zip file of it.`;
    issues.add('missingFiles', message, missing.length);
  }
  if (foreign.length > 0) {
    const message = `Contents outside the folder of the tileset are not read: ${some(foreign)}. Put them into its folder, and refer to them by a relative path.`;
    issues.add('outsideReference', message, foreign.length);
  }
}
