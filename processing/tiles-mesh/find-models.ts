import { unpackUpload } from '@platen/formats/open/unpack-upload';
import { SourceError } from '@platen/formats/source/source';
import { JobFailure, type JobContext, type JobInput } from '../job-type.ts';
import type { SideFile } from '../models/find-side-file.ts';
import { meshKindOf, unpackGltf } from '../models/mesh-files.ts';
import { findTilesets, type FoundTileset, type UnpackedFile } from '../models/tilesets/find-tilesets.ts';
import { unpackTile } from '../models/tilesets/read-tile-file.ts';
import { finestContents, tileFileOf } from '../models/tilesets/tile-files.ts';
import { withUniqueNames } from '../models/unique-names.ts';
import { eachKeptTile, keptTiles, type KeptTile } from './keep/kept-tile.ts';
import type { Settings } from './settings.ts';
import type { ModelFile } from './tasks.ts';

export interface FoundMeshes {
  /** Models; of tilesets, their contents. */
  readonly models: readonly ModelFile[];
  readonly images: readonly SideFile[];
  readonly sides: readonly SideFile[];
  /** The top tiles of tilesets that are kept; none for models. */
  readonly kept: readonly KeptTile[];
}

/**
 * Unpacks the inputs and tells tilesets, models, images and what else models name among their files.
 * @param scratch a folder that exists @throws JobFailure
 */
export async function findMeshes(
  inputs: readonly JobInput[],
  scratch: string,
  {
    settings,
    context,
  }: { readonly settings: Settings; readonly context: Pick<JobContext, 'signal' | 'log' | 'warn'> },
): Promise<FoundMeshes> {
  const { signal, log } = context;
  const models: ModelFile[] = [];
  const images: SideFile[] = [];
  const sides: SideFile[] = [];
  const tilesets: FoundTileset[] = [];
  const files = new Map<string, UnpackedFile>();
  for (const { path, name, size, crs } of withUniqueNames(inputs)) {
    const { members } = await unpackUpload({ path, name, size }, { signal, scratch }).catch(
      (error: unknown) => {
        if (!(error instanceof SourceError)) throw error;
        throw new JobFailure(error.code, `${name}: ${error.message}.`, { cause: error });
      },
    );
    const own = new Map(members.map(({ file }): [string, UnpackedFile] => [file.name, file]));
    const found = await findTilesets(own, { ...settings, context });
    tilesets.push(...found);
    for (const [key, file] of own) files.set(key, file);
    for (const { file } of members) {
      signal.throwIfAborted();
      const kind = meshKindOf(file);
      if (kind === 'image') images.push(file);
      // contents of tilesets may name models, too
      else if (kind === 'side' || (found.length > 0 && kind === 'gltf')) sides.push(file);
      else if (kind === undefined && found.length === 0)
        log('info', `${file.name} is no mesh, and nothing that one names.`);
      else if (kind !== undefined) {
        const unpacked = kind === 'gltf' ? await unpackGltf(file, scratch) : undefined;
        models.push({
          path: file.path,
          name: file.name,
          size: file.size,
          mesh: kind,
          crs,
          decodingBytes: unpacked?.decodingBytes ?? 0,
        });
        images.push(...(unpacked?.images ?? []));
      }
    }
  }
  if (tilesets.length > 0 && settings.tilesets === 'keep')
    return keep(tilesets, { models, images, sides, files });
  for (const content of tilesets.flatMap(({ tree }) => Array.from(finestContents(tree.root)))) {
    signal.throwIfAborted();
    const file = tileFileOf(content, files);
    const unpacked = await unpackTile(file, sides, scratch);
    models.push({ ...file, decodingBytes: unpacked.decodingBytes });
    images.push(...unpacked.images);
  }
  if (models.length > 0) return { models, images, sides, kept: [] };
  throw new JobFailure(
    'notRecognised',
    'None of the inputs is a mesh. Use OBJ, glTF, PLY or STL, a zip file or folder with them, or a tileset.',
  );
}

interface FoundFiles extends Omit<FoundMeshes, 'kept'> {
  readonly files: ReadonlyMap<string, UnpackedFile>;
}

function keep(tilesets: readonly FoundTileset[], { models, images, sides, files }: FoundFiles): FoundMeshes {
  const [model] = models;
  if (model !== undefined)
    throw new JobFailure(
      'invalidOption',
      `/tilesets/mode: ${model.name} has no levels of detail, so it cannot be kept like ${tilesets[0]!.name}. Choose rebuild, or leave one of them out.`,
    );
  const kept = keptTiles(tilesets);
  const contents = kept.flatMap((top) => Array.from(eachKeptTile(top))).flatMap((tile) => tile.contents);
  return { models: contents.map((content) => tileFileOf(content, files)), images, sides, kept };
}
