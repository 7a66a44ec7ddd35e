import { openFile } from '@platen/formats/bytes/open-file';
import { looksLikeCityJson } from '@platen/formats/cityjson/looks-like-city-json';
import { unpackUpload, type RecognisedFile } from '@platen/formats/open/unpack-upload';
import { SourceError } from '@platen/formats/source/source';
import { rootElement } from '@platen/formats/xml/root-element';
import { openInputs } from '../../features/open-inputs.ts';
import type { MeshFormat } from '@platen/formats/mesh-model/recognise-mesh';
import type { SideFile } from '../../models/find-side-file.ts';
import { meshKindOf, unpackGltf } from '../../models/mesh-files.ts';
import { JobFailure, type JobContext, type JobInput } from '../../job-type.ts';
import { findTilesets, type UnpackedFile } from '../../models/tilesets/find-tilesets.ts';
import { unpackTile } from '../../models/tilesets/read-tile-file.ts';
import { finestContents, tileFileOf } from '../../models/tilesets/tile-files.ts';
import { withUniqueNames } from '../../models/unique-names.ts';
import type { Settings } from '../settings.ts';
import { divideModel } from './divide-model.ts';
import type { ModelFile } from './model-file.ts';

export interface FoundModels {
  readonly models: readonly ModelFile[];
  readonly images: readonly SideFile[];
  readonly codeLists: readonly SideFile[];
  /** Libraries of materials, and buffers of glTF. */
  readonly sides: readonly SideFile[];
}

export interface ModelSearch {
  readonly settings: Pick<Settings, 'strict' | 'placement'>;
  readonly context: Pick<JobContext, 'signal' | 'log' | 'warn'>;
}

const headBytes = 1 << 16;

/**
 * Unpacks the inputs and tells models, images and code lists among their files.
 * @param scratch a folder that exists @throws JobFailure
 */
export async function findModels(
  inputs: readonly JobInput[],
  scratch: string,
  { settings, context }: ModelSearch,
): Promise<FoundModels> {
  const { signal, log, warn } = context;
  const models: ModelFile[] = [];
  const images: SideFile[] = [];
  const codeLists: SideFile[] = [];
  const sides: SideFile[] = [];
  for (const input of withUniqueNames(inputs)) {
    const { path, name, size, related, crs } = input;
    const uploaded = { path, name, size, ...(related !== undefined && { related }) };
    const { members } = await unpackUpload(uploaded, { signal, scratch }).catch((error: unknown) => {
      if (!(error instanceof SourceError)) throw error;
      throw new JobFailure(error.code, `${name}: ${error.message}.`, { cause: error });
    });
    const before = models.length + images.length + codeLists.length;
    const files = new Map(members.map(({ file }): [string, UnpackedFile] => [file.name, file]));
    const tilesets = await findTilesets(files, { ...settings, context });
    for (const { file } of members) {
      signal.throwIfAborted();
      const kind = await kindOf(file);
      if (tilesets.length > 0 && (kind === undefined || isGltf(kind))) {
        // contents of tilesets may name models
        if (kind !== undefined) sides.push(file);
        continue;
      }
      if (kind === 'image') images.push(file);
      else if (kind === 'codeList') codeLists.push(file);
      else if (kind === 'side') sides.push(file);
      else if (kind !== undefined && typeof kind !== 'string') {
        const unpacked = kind.mesh === 'gltf' ? await unpackGltf(file, scratch) : undefined;
        const decodingBytes = unpacked?.decodingBytes ?? 0;
        models.push({ ...file, format: 'mesh', mesh: kind.mesh, crs, decodingBytes });
        images.push(...(unpacked?.images ?? []));
      } else if (kind !== undefined) models.push(...(await divideModel({ ...file, format: kind, crs })));
      else log('info', `${file.name} is no city model, and no image or code list of one.`);
    }
    for (const content of tilesets.flatMap(({ tree }) => Array.from(finestContents(tree.root)))) {
      signal.throwIfAborted();
      const file = tileFileOf(content, files);
      const unpacked = await unpackTile(file, sides, scratch);
      models.push({ ...file, format: 'mesh', decodingBytes: unpacked.decodingBytes });
      images.push(...unpacked.images);
    }
    if (models.length + images.length + codeLists.length > before) continue;
    if (!members.some(({ recognised }) => recognised.is === 'data')) continue;
    const parts = await openInputs([input], { scratchFolder: scratch, partBytes: Infinity, signal, warn });
    for (const part of parts)
      models.push({
        path,
        name: part.file,
        size: part.part.weight,
        format: 'footprints',
        crs: 'EPSG:4326',
        part,
      });
  }
  if (models.length === 0)
    throw new JobFailure(
      'notRecognised',
      'None of the inputs is a model. Use CityGML, CityJSON, IFC, OBJ, glTF, PLY or STL, a zip file or folder with them, a tileset, or polygons in a vector format.',
    );
  return { models, images, codeLists, sides };
}

type FileKind = 'citygml' | 'cityjson' | 'image' | 'codeList' | 'side' | { readonly mesh: MeshFormat };

const isGltf = (kind: FileKind): boolean => typeof kind !== 'string' && kind.mesh === 'gltf';

async function kindOf(source: RecognisedFile['file']): Promise<FileKind | undefined> {
  const { path, size } = source;
  const kind = meshKindOf(source);
  if (kind !== undefined) return kind === 'image' || kind === 'side' ? kind : { mesh: kind };
  if (size === 0) return undefined;
  const file = await openFile(path);
  try {
    const head = Buffer.from(await file.read(0, Math.min(headBytes, size)));
    const root = rootElement(head)?.name;
    if (root === 'CityModel') return 'citygml';
    if (root === 'Dictionary') return 'codeList';
    return (await looksLikeCityJson(head, file)) ? 'cityjson' : undefined;
  } finally {
    await file.close();
  }
}
