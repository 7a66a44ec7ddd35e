import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import { openFile, type OpenFile } from '@platen/formats/bytes/open-file';
import type { MeshModel, MeshNotice } from '@platen/formats/mesh-model/mesh-model';
import { readIfc } from '@platen/formats/ifc/read-ifc';
import { readGltfModel } from '@platen/formats/mesh-model/read-gltf-model';
import { readObj } from '@platen/formats/mesh-model/read-obj';
import { readPly } from '@platen/formats/mesh-model/read-ply';
import { readAsciiStl, readBinaryStl } from '@platen/formats/mesh-model/read-stl';
import type { MeshFormat } from '@platen/formats/mesh-model/recognise-mesh';
import { SourceError } from '@platen/formats/source/source';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import type { NoticeCode } from '../warning-codes.ts';
import { createFileFinder, type SideFile } from './find-side-file.ts';
import { embeddedName } from './mesh-files.ts';
import { readTileFile, type TileFile } from './tilesets/read-tile-file.ts';
import { triangulateFace } from './triangulate-rings.ts';
import { unpackMeshopt } from '@platen/formats/mesh/unpack-meshopt';

export interface MeshFile extends SideFile {
  readonly size: number;
  readonly mesh: MeshFormat;
  /** Where a content of a tileset is. */
  readonly tile?: TileFile['tile'];
  /** Memory that its meshes packed by Draco take, in bytes. */
  readonly decodingBytes?: number;
}

export interface MeshFileReading {
  /** Libraries and buffers that models may name. */
  readonly sides: readonly SideFile[];
  readonly onNotice: (notice: MeshNotice, detail: string) => void;
  /** What a product of an IFC may take. */
  readonly maxMilliseconds?: number;
  /** Memory that meshes packed by Draco may take in a file; default: any. */
  readonly maxDecodingBytes?: number;
}

const chunkBytes = 1 << 20;
const maxLibraryBytes = 64 << 20;
/** What Node reads into one buffer. */
const maxBytes = 2 ** 31 - 1;
/** Memory that the reader of IFC takes, in times the size of a file; of 4 GiB at most. */
const ifcMemoryTimes = 11;
const maxIfcBytes = 384 << 20;

/** Reads all objects of a model. @throws SourceError */
export async function readMeshFile(file: MeshFile, given: MeshFileReading): Promise<MeshModel> {
  const { sides, onNotice } = given;
  const find = createFileFinder(sides);
  const reading = { onNotice, triangulate: triangulateFace };
  const title = titleOf(file.name);
  try {
    switch (file.mesh) {
      case 'obj':
        return await readObj({
          ...reading,
          chunks: createReadStream(file.path, { highWaterMark: chunkBytes }),
          readLibrary: async (name) => readText(sides[find(name, file.name) ?? -1]),
        });
      case 'asciiStl':
        return await readAsciiStl(createReadStream(file.path, { highWaterMark: chunkBytes }), title, reading);
      case 'gltf':
        return await readGltfFile(file, given);
      case 'tile':
        return await readTileFile({ ...file, tile: file.tile! }, given);
      case 'ifc':
        return await readIfc(await wholeOf(file, maxIfcBytes), given);
      case 'ply':
        return readPly(await wholeOf(file), title, reading);
      case 'stl':
        return readBinaryStl(await wholeOf(file), title, reading);
    }
  } catch (error) {
    if (error instanceof BytesError) throw new SourceError('brokenFile', error.message, {}, { cause: error });
    throw error;
  }
}

/** Memory that reading a model takes besides its triangles, in bytes: only that of IFC and of Draco is large. */
export const memoryToRead = ({
  mesh,
  size,
  decodingBytes = 0,
}: Partial<Pick<MeshFile, 'mesh' | 'decodingBytes'>> & Pick<MeshFile, 'size'>): number =>
  mesh === 'ifc' ? size * ifcMemoryTimes : decodingBytes;

/** The name of a file without folders and ending. */
export const titleOf = (name: string): string =>
  name.slice(name.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');

async function wholeOf({ path, size }: MeshFile, limit = maxBytes): Promise<Uint8Array> {
  if (size > limit)
    throw new SourceError(
      'unsupported',
      `a file of more than ${Math.ceil(limit / 2 ** 20)} MiB cannot be read: divide it`,
    );
  return readFile(path);
}

async function readText(file: SideFile | undefined): Promise<string | undefined> {
  if (file === undefined || (await stat(file.path)).size > maxLibraryBytes) return undefined;
  return readFile(file.path, 'utf8');
}

async function readGltfFile(
  file: MeshFile,
  { sides, onNotice, maxDecodingBytes }: MeshFileReading,
): Promise<MeshModel> {
  await MeshoptDecoder.ready;
  const find = createFileFinder(sides);
  const opened = new Map<number, OpenFile>();
  const model = await openFile(file.path);
  try {
    return await readGltfModel(model, {
      onNotice,
      maxDecodingBytes,
      embedded: (image) => embeddedName(file.name.slice(file.name.lastIndexOf('/') + 1), image),
      unpack: unpackMeshopt,
      async find(uri): Promise<Bytes | undefined> {
        const number = find(uri, file.name);
        if (number === undefined) {
          onNotice('missingFile', uri.slice(0, 300));
          return undefined;
        }
        if (!opened.has(number)) opened.set(number, await openFile(sides[number]!.path));
        return opened.get(number);
      },
    });
  } finally {
    await model.close();
    for (const one of opened.values()) await one.close();
  }
}

/** How what a reader leaves out is told. */
export const meshNotices = {
  badPositions: {
    code: 'missingSurfaces',
    text: 'triangles with coordinates that are not numbers are left out.',
  },
  badIndices: { code: 'missingSurfaces', text: 'indices lead to vertices that do not exist.' },
  badPolygon: {
    code: 'missingSurfaces',
    text: 'faces with fewer than 3 or more than 20000 corners are left out.',
  },
  missingFile: {
    code: 'missingSideFiles',
    text: 'files that it names are not among the inputs. Upload them in one zip file with the model.',
  },
  missingNode: { code: 'missingSurfaces', text: 'nodes or meshes that it names do not exist.' },
  circularNodes: { code: 'circularParts', text: 'nodes contain themselves.' },
  unsupportedPart: {
    code: 'unsupportedModelParts',
    text: 'parts in forms that are not supported are left out.',
  },
  truncated: { code: 'missingSurfaces', text: 'it is cut off: only its beginning is shown.' },
} as const satisfies Readonly<Record<MeshNotice, { readonly code: NoticeCode; readonly text: string }>>;
