import { promisify } from 'node:util';
import { gunzip, inflateRaw, zstdDecompress } from 'node:zlib';
import { BytesError } from '@platen/formats/bytes/bytes';
import { bytesOf } from '@platen/formats/bytes/unpacked-bytes';
import { readyToUnpack, unpackMeshopt } from '@platen/formats/mesh/unpack-meshopt';
import type { MeshModel } from '@platen/formats/mesh-model/mesh-model';
import { SourceError } from '@platen/formats/source/source';
import { readTileModel } from '@platen/formats/tiles-3d/read-tile-model';
import { readTileTree } from '@platen/formats/tiles-3d/tile-tree';
import type { PlacedContent, TileOfTree } from '@platen/formats/tiles-3d/tree-context';
import { geodeticOf } from '@platen/geo/geodesy/geocentric';
import type { Packing } from '../../serving/file-headers.ts';
import { collectNames, Enough, maxReadingMs, type NameCollector, type NameList } from './name-list.ts';

/** A file of an archive as it is stored. */
export interface StoredMember {
  readonly size: number;
  readonly packing: Packing;
}

/** The files of a tileset, by their paths. */
export interface TilesetHost {
  readonly find: (path: string) => Promise<StoredMember | undefined>;
  /** At most a mebibyte. */
  readonly read: (path: string, offset: number, length: number) => Promise<Uint8Array>;
}

const maxFileBytes = 64 * 2 ** 20;
const chunkBytes = 2 ** 20;
/** From the centre of the earth, in metres: elsewhere a tileset has no place. */
const nearGround = { from: 6_300_000, to: 6_450_000 } as const;

type Unpack = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;
const ungzip: Unpack = promisify(gunzip);
const inflate: Unpack = promisify(inflateRaw);
const unzstd: Unpack = promisify(zstdDecompress);
const unpackers: Readonly<Record<Packing, readonly Unpack[]>> = {
  none: [],
  gzip: [ungzip],
  deflate: [inflate],
  gzipInDeflate: [inflate, ungzip],
  zstd: [unzstd],
};

/** Whether a tile is damaged or of a kind that is not read, which the others need not be. */
const isUnreadable = (error: unknown) => error instanceof SourceError || error instanceof BytesError;

/** The names of features in a tileset, where their geometry is: those of the finest tiles. @throws SourceError, BytesError */
export async function readNamesOfTileset(
  { entry, attribute }: { readonly entry: string; readonly attribute: string },
  host: TilesetHost,
): Promise<NameList> {
  await readyToUnpack();
  const names = collectNames();
  const end = performance.now() + maxReadingMs;
  const files = {
    read: (path: string) => readMember(host, path),
    has: () => true,
    onNotice: () => {},
    takeTurn: async () => {
      if (performance.now() > end) throw new Enough();
    },
  };
  let isCut = false;
  const root = await rootOf(entry, files);
  if (root === undefined) return names.list(true);
  for (const content of finest(root)) {
    isCut ||= performance.now() > end;
    if (isCut || names.isFull) break;
    try {
      addNames(await modelOf(host, content), attribute, names);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      isCut = true;
    }
  }
  return names.list(isCut);
}

/** Undefined if the tree is too large to be read in time. */
async function rootOf(...[entry, files]: Parameters<typeof readTileTree>): Promise<TileOfTree | undefined> {
  try {
    return (await readTileTree(entry, files)).root;
  } catch (error) {
    if (error instanceof Enough) return undefined;
    throw error;
  }
}

/** The contents of tiles that no others replace. */
function* finest({ contents, children, refine }: TileOfTree): Generator<PlacedContent> {
  if (refine === 'ADD' || children.length === 0) yield* contents;
  for (const child of children) yield* finest(child);
}

async function readMember(host: TilesetHost, path: string): Promise<Uint8Array | undefined> {
  const member = await host.find(path);
  if (member === undefined) return undefined;
  const { size, packing } = member;
  if (size > maxFileBytes) throw new BytesError(`${path} is larger than ${maxFileBytes / 2 ** 20} MiB`);
  let bytes: Uint8Array = new Uint8Array(size);
  for (let at = 0; at < size; at += chunkBytes)
    (bytes as Uint8Array).set(await host.read(path, at, Math.min(chunkBytes, size - at)), at);
  try {
    for (const unpack of unpackers[packing]) bytes = await unpack(bytes, { maxOutputLength: maxFileBytes });
  } catch (error) {
    throw new BytesError(`${path} cannot be unpacked`, { cause: error });
  }
  return bytes;
}

async function modelOf(host: TilesetHost, place: PlacedContent): Promise<MeshModel> {
  const content = await readMember(host, place.path);
  if (content === undefined) throw new BytesError(`${place.path} is missing`);
  const folder = place.path.slice(0, place.path.lastIndexOf('/') + 1);
  return readTileModel(content, {
    place,
    unpack: unpackMeshopt,
    embedded: () => '',
    onNotice: () => {},
    // fields are called so
    byId: true,
    async find(uri) {
      const sibling = await readMember(host, folder + uri);
      return sibling && bytesOf(sibling);
    },
  });
}

interface Box {
  readonly min: [x: number, y: number, z: number];
  readonly max: [x: number, y: number, z: number];
}

function addNames({ objects, rows = [] }: MeshModel, attribute: string, names: NameCollector): void {
  const named = rows.map((row) => row.get(attribute));
  if (named.every((name) => name === undefined)) return;
  const boxes = new Map<number, Box>();
  for (const { parts } of objects)
    for (const { positions, features } of parts)
      for (const [vertex, feature] of features?.entries() ?? [])
        if (named[feature] !== undefined)
          extend(boxes, feature, positions.subarray(vertex * 3, vertex * 3 + 3));
  for (const [feature, { min, max }] of boxes) {
    const middle = min.map((low, axis) => (low + max[axis]!) / 2) as Box['min'];
    const distance = Math.hypot(...middle);
    if (!(distance > nearGround.from && distance < nearGround.to)) continue;
    const [longitude, latitude] = geodeticOf(middle);
    names.add(named[feature], [longitude, latitude], `${longitude.toFixed(4)} ${latitude.toFixed(4)}`);
  }
}

function extend(boxes: Map<number, Box>, feature: number, position: Float64Array): void {
  const box = boxes.get(feature);
  const [x, y, z] = [position[0]!, position[1]!, position[2]!];
  if (box === undefined) {
    boxes.set(feature, { min: [x, y, z], max: [x, y, z] });
    return;
  }
  for (let axis = 0; axis < 3; axis++) {
    box.min[axis] = Math.min(box.min[axis]!, position[axis]!);
    box.max[axis] = Math.max(box.max[axis]!, position[axis]!);
  }
}
