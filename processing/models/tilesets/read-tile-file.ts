import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import { bytesOf } from '@platen/formats/bytes/unpacked-bytes';
import type { Attributes } from '@platen/formats/city-object/city-object';
import type { FindBuffer } from '@platen/formats/mesh/open-gltf';
import type { UnpackView } from '@platen/formats/mesh/read-accessor';
import type { MeshModel, MeshNotice } from '@platen/formats/mesh-model/mesh-model';
import { SourceError } from '@platen/formats/source/source';
import { readTileModel, readTileRows } from '@platen/formats/tiles-3d/read-tile-model';
import { splitContent } from '@platen/formats/tiles-3d/split-content';
import type { PlacedContent } from '@platen/formats/tiles-3d/tree-context';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { createFileFinder, type SideFile } from '../find-side-file.ts';
import { contentsOfGltf, writeImages, type UnpackedModel } from '../mesh-files.ts';
import { unpackMeshopt } from '@platen/formats/mesh/unpack-meshopt';

/** A content of a tileset, and what moves it to its place. Plain data. */
export interface TileFile extends SideFile {
  readonly size: number;
  readonly tile: Pick<PlacedContent, 'matrix' | 'upAxis'>;
}

export interface TileFileReading {
  /** Buffers and models that contents may name. */
  readonly sides: readonly SideFile[];
  readonly onNotice: (notice: MeshNotice, detail: string) => void;
  /** Memory that meshes packed by Draco may take in a part of a content; default: any. */
  readonly maxDecodingBytes?: number;
}

/** A tile is loaded by viewers as a whole: larger ones are none. */
const maxTileBytes = 1 << 30;

async function contentOf({ path, size }: TileFile): Promise<Uint8Array> {
  if (size > maxTileBytes) throw new SourceError('unsupported', 'a tile of more than 1 GiB cannot be read');
  return readFile(path);
}

/** Reads a content of a tileset with its features. @throws SourceError */
export async function readTileFile(file: TileFile, reading: TileFileReading): Promise<MeshModel> {
  await MeshoptDecoder.ready;
  return withSourceErrors(async () =>
    readTileModel(await contentOf(file), {
      ...readingOf(file, reading),
      maxDecodingBytes: reading.maxDecodingBytes,
      place: file.tile,
      embedded: (part, image) => embeddedName(file.name, part, image),
    }),
  );
}

/** The attributes of the features of a content. @throws SourceError */
export async function readFeatures(file: TileFile, reading: TileFileReading): Promise<Attributes[]> {
  await MeshoptDecoder.ready;
  return withSourceErrors(async () => readTileRows(await contentOf(file), readingOf(file, reading)));
}

export interface TileContents {
  /** The images within a content, by the names that its model has for them. */
  readonly images: ReadonlyMap<string, Uint8Array>;
  /** Memory that its meshes packed by Draco take, in bytes. */
  readonly decodingBytes: number;
}

/** Reads what a content contains besides its model. @throws SourceError */
export async function contentsOfTile(file: TileFile, reading: TileFileReading): Promise<TileContents> {
  const { find } = readingOf(file, reading);
  const images = new Map<string, Uint8Array>();
  let decodingBytes = 0;
  for (const [part, { gltf }] of splitContent(await contentOf(file)).parts.entries()) {
    const bytes = typeof gltf === 'string' ? await find(gltf) : bytesOf(gltf);
    if (bytes === undefined) continue;
    const own = await contentsOfGltf(bytes);
    for (const [image, content] of own.images) images.set(embeddedName(file.name, part, image), content);
    decodingBytes += own.decodingBytes;
  }
  return { images, decodingBytes };
}

/** Writes the images within a content to files of their own. A damaged one has none. @param scratch a folder that exists */
export async function unpackTile(
  file: TileFile,
  sides: readonly SideFile[],
  scratch: string,
): Promise<UnpackedModel> {
  const folder = file.name.slice(0, file.name.lastIndexOf('/') + 1);
  try {
    const { images, decodingBytes } = await contentsOfTile(file, { sides, onNotice: () => {} });
    const named = [...images].map(([name, content]) => [`${folder}${name}`, content] as const);
    return {
      images: await writeImages(named, join(scratch, `${basename(file.path)}-image`)),
      decodingBytes,
    };
  } catch (error) {
    if (error instanceof SourceError) return { images: [], decodingBytes: 0 };
    throw error;
  }
}

/** Beside the content itself. */
const embeddedName = (file: string, part: number, image: number): string =>
  `${file.slice(file.lastIndexOf('/') + 1)}#${part}-${image}`;

function readingOf(
  { name }: TileFile,
  { sides, onNotice }: TileFileReading,
): {
  readonly find: FindBuffer;
  readonly unpack: UnpackView;
  readonly onNotice: TileFileReading['onNotice'];
} {
  const findFile = createFileFinder(sides);
  return {
    onNotice,
    unpack: unpackMeshopt,
    async find(uri): Promise<Bytes | undefined> {
      const number = /^[a-z][a-z0-9+.-]*:/i.test(uri) ? undefined : findFile(uri, name);
      if (number === undefined) {
        onNotice('missingFile', uri.slice(0, 300));
        return undefined;
      }
      return bytesOf(await readFile(sides[number]!.path));
    },
  };
}

async function withSourceErrors<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BytesError) throw new SourceError('brokenFile', error.message, {}, { cause: error });
    throw error;
  }
}
