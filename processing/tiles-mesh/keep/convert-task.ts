import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import type { Attributes } from '@platen/formats/city-object/city-object';
import type { TableColumn } from '@platen/formats/gltf/property-table';
import type { MeshMaterial, MeshModel, MeshPart } from '@platen/formats/mesh-model/mesh-model';
import { SourceError } from '@platen/formats/source/source';
import { compactPart } from '@platen/formats/tiles-3d/read-tile-model';
import { packMember } from '@platen/formats/zip/pack-member';
import { localFrameAt } from '@platen/geo/geodesy/local-frame';
import { openImageCodec, type ImageCodec } from '../../kit/images/image-codec.ts';
import { ImageError } from '../../kit/images/image-error.ts';
import { openScratchFile } from '../../kit/scratch-file.ts';
import { createWarningCounter, type WarningCounter } from '../../kit/warning-counter.ts';
import { createFileFinder } from '../../models/find-side-file.ts';
import { encoderReady } from '../../models/glb/encode-primitive.ts';
import { writeFeatureTile, type TexturePage } from '../../models/glb/write-feature-tile.ts';
import { openPlacement } from '../../models/open-placement.ts';
import { meshNotices } from '../../models/read-mesh-file.ts';
import { contentsOfTile, readTileFile, type TileFile } from '../../models/tilesets/read-tile-file.ts';
import { faultOf } from '../read-task.ts';
import { regionOfPlaces } from '../tile/piece-region.ts';
import type { ConvertedTile, ConvertTask, Setup } from '../tasks.ts';
import { encodePage } from './encode-pages.ts';
import { joinParts } from './join-parts.ts';

/** Numbers of features are 16 bits wide. */
const maxFeatures = 65_535;
const bytesPerPixel = 4;
/** Metres: rounding of positions is never seen. */
const finestStep = 0.01;

/** Converts the tiles of one thread. */
export async function createTileConverter(
  setup: Setup,
): Promise<(task: ConvertTask) => Promise<ConvertedTile>> {
  const { settings, folder, attempt, worker } = setup;
  await encoderReady();
  const codec = settings.textureFormat === 'none' ? undefined : await openImageCodec();
  const file = openScratchFile(join(folder, `kept-${attempt}-${worker}`));
  return async ({ name, models, properties }) => {
    const warnings = createWarningCounter();
    const nothing = { kind: 'convert', name, content: undefined, region: undefined, triangles: 0 } as const;
    try {
      const model = await readContents(setup, models, warnings);
      const parts = model.objects
        .flatMap((object) => object.parts)
        .filter(({ indices }) => indices.length > 0);
      if (parts.length === 0) return { ...nothing, features: 0, warnings: warnings.take() };
      const rows = model.rows ?? [];
      const divided = divideByFeatures(parts, rows);
      const region = regionOfPlaces(parts.map(({ positions }) => positions));
      const [west, south, east, north, lowest] = region;
      const frame = localFrameAt((west + east) / 2, (south + north) / 2, lowest);
      const { pages, pageOf } = await pagesOf(setup, model, { models, codec, warnings });
      const looks = { materials: model.materials, pageOf, isUnlit: settings.isUnlit };
      const primitives = joinParts(divided, frame, looks);
      const columns = columnsOf(rows, properties);
      const bytes = writeFeatureTile(
        { count: rows.length, columns, primitives, pages, frame, maxStep: finestStep },
        settings.version,
      );
      const packed = packMember(name, bytes, 'deflate');
      const start = file.length;
      file.append(packed.bytes);
      file.flush();
      return {
        ...nothing,
        content: {
          range: { path: file.path, start, end: file.length },
          packing: packed.packing,
          size: packed.size,
          crc32: packed.crc32,
        },
        region,
        triangles: primitives.reduce((sum, { indices }) => sum + indices.length / 3, 0),
        features: rows.length,
        warnings: warnings.take(),
      };
    } catch (error) {
      const failure = faultOf(error, setup.models[models[0]!]!.name);
      return { ...nothing, features: 0, warnings: warnings.take(), failure };
    }
  };
}

/** The contents of a tile as one model in EPSG:4978. */
async function readContents(
  setup: Setup,
  models: readonly number[],
  warnings: WarningCounter,
): Promise<MeshModel> {
  const { settings, inputs, geoidFolder, sides, maxDecodingBytes } = setup;
  const objects: MeshModel['objects'][number][] = [];
  const materials: MeshMaterial[] = [];
  const rows: Attributes[] = [];
  for (const number of models) {
    const file = setup.models[number]!;
    const read = await readTileFile(
      { ...file, tile: file.tile! },
      {
        sides,
        maxDecodingBytes,
        onNotice(notice, detail) {
          const { code, text } = meshNotices[notice];
          warnings.warn(code, `${file.name}: ${text}`, { detail });
        },
      },
    );
    const [x = 0, y = 0, z = 0] = read.objects[0]?.parts[0]?.positions ?? [];
    const placement = await openPlacement(
      { ...file, position: [x, y, z] },
      {
        placement: settings.placement,
        heights: settings.heights,
        context: { inputs, warn: warnings.warn, ...(geoidFolder !== undefined && { geoidFolder }) },
      },
    );
    for (const object of read.objects) {
      for (const { positions } of object.parts) placement.toGeocentric(positions);
      objects.push({
        ...object,
        parts: object.parts.map((part) => numberedFrom(part, materials.length, rows.length)),
      });
    }
    for (const material of read.materials)
      materials.push(
        material.image === undefined ? material : { ...material, image: imageKey(number, material.image) },
      );
    for (const row of read.rows ?? []) rows.push(row);
  }
  return { objects, materials, rows };
}

/** Names of images are only those of one model. */
const imageKey = (model: number, image: string): string => `${model}/${image}`;

const numberedFrom = (part: MeshPart, material: number, row: number): MeshPart => ({
  ...part,
  material: part.material < 0 ? part.material : part.material + material,
  features: part.features?.map((feature) => (feature < 0 ? feature : feature + row)),
});

/** What belongs to features, and what does not, as parts of their own. @throws SourceError if there are too many */
function divideByFeatures(parts: readonly MeshPart[], rows: readonly Attributes[]): MeshPart[] {
  if (rows.length > maxFeatures)
    throw new SourceError(
      'unsupported',
      `a tile of ${rows.length} features cannot be kept, at most ${maxFeatures} can: rebuild the tileset by “Create 3D tiles of city models”`,
    );
  return parts.flatMap((part) => {
    const { features, indices } = part;
    if (features === undefined || features.every((feature) => feature < 0))
      return { ...part, features: undefined };
    if (!features.includes(-1)) return part;
    const [own, none]: [number[], number[]] = [[], []];
    for (let i = 0; i < indices.length; i += 3) {
      const corners = indices.subarray(i, i + 3);
      (corners.some((corner) => features[corner]! < 0) ? none : own).push(...corners);
    }
    return [
      compactPart(part, Uint32Array.from(own)),
      { ...compactPart(part, Uint32Array.from(none)), features: undefined },
    ];
  });
}

function columnsOf(rows: readonly Attributes[], properties: ConvertTask['properties']): TableColumn[] {
  return properties.flatMap((property) => {
    const values = rows.map((row) => {
      const value = row.get(property.name);
      return property.type === 'STRING' && value !== undefined ? String(value) : value;
    });
    return values.every((value) => value === undefined) ? [] : [{ property, values }];
  });
}

interface PageContext {
  readonly models: readonly number[];
  readonly codec: ImageCodec | undefined;
  readonly warnings: WarningCounter;
}

/** The images that materials name, in the format of the options. */
async function pagesOf(
  setup: Setup,
  { materials, objects }: MeshModel,
  { models, codec, warnings }: PageContext,
): Promise<{
  readonly pages: readonly TexturePage[];
  readonly pageOf: (image: string) => number | undefined;
}> {
  const { settings, images, sides, imageBytes } = setup;
  const pages: TexturePage[] = [];
  const numbers = new Map<string, number | undefined>();
  const used = new Set(objects.flatMap(({ parts }) => parts.map(({ material }) => material)));
  if (settings.textureFormat === 'none') return { pages, pageOf: () => undefined };
  const find = createFileFinder(images);
  const embedded = new Map<string, Uint8Array>();
  for (const number of models) {
    const file: TileFile = { ...setup.models[number]!, tile: setup.models[number]!.tile! };
    const contents = await contentsOfTile(file, { sides, onNotice: () => {} });
    for (const [name, bytes] of contents.images) embedded.set(imageKey(number, name), bytes);
  }
  for (const [number, { image: key }] of materials.entries()) {
    if (key === undefined || !used.has(number) || numbers.has(key)) continue;
    numbers.set(key, undefined);
    const sharing = materials.filter((one) => one.image === key);
    const slash = key.indexOf('/');
    const { name } = setup.models[Number(key.slice(0, slash))]!;
    const image = key.slice(slash + 1);
    const side = images[embedded.has(key) ? -1 : (find(image, name) ?? -1)];
    const bytes = embedded.get(key) ?? (side && (await readFile(side.path)));
    const warn = (reason: string): void => warnings.warn('missingTextures', `${name}: ${reason}`, { image });
    if (bytes === undefined) {
      warn('textures are not among the inputs. Upload them in one zip file with the tileset.');
      continue;
    }
    try {
      const page = await encodePage(bytes, {
        settings,
        codec,
        maxPixels: Math.floor(imageBytes / bytesPerPixel),
        isMask: sharing.some(({ alpha }) => alpha === 'mask'),
        needsAlpha: sharing.some(({ alpha }) => alpha !== undefined),
        repeats: sharing.some(({ repeats }) => repeats),
      });
      numbers.set(key, pages.push(page) - 1);
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      warn(`a texture cannot be used: ${error.message}`);
    }
  }
  return { pages, pageOf: (image) => numbers.get(image) };
}
