import { unpackUpload } from '@platen/formats/open/unpack-upload';
import { SourceError } from '@platen/formats/source/source';
import { JobFailure, type JobContext, type JobInput } from '../job-type.ts';
import type { SideFile } from '../models/find-side-file.ts';
import { meshKindOf, unpackImages } from '../models/mesh-files.ts';
import type { ModelFile } from './tasks.ts';

export interface FoundMeshes {
  readonly models: readonly ModelFile[];
  readonly images: readonly SideFile[];
  readonly sides: readonly SideFile[];
}

/**
 * Unpacks the inputs and tells models, images and what else models name among their files.
 * @param scratch a folder that exists @throws JobFailure
 */
export async function findMeshes(
  inputs: readonly JobInput[],
  scratch: string,
  { signal, log }: Pick<JobContext, 'signal' | 'log'>,
): Promise<FoundMeshes> {
  const models: ModelFile[] = [];
  const images: SideFile[] = [];
  const sides: SideFile[] = [];
  for (const { path, name, size, crs } of inputs) {
    const { members } = await unpackUpload({ path, name, size }, { signal, scratch }).catch(
      (error: unknown) => {
        if (!(error instanceof SourceError)) throw error;
        throw new JobFailure(error.code, `${name}: ${error.message}.`, { cause: error });
      },
    );
    for (const { file } of members) {
      signal.throwIfAborted();
      const kind = meshKindOf(file);
      if (kind === 'image') images.push(file);
      else if (kind === 'side') sides.push(file);
      else if (kind === undefined) log('info', `${file.name} is no mesh, and nothing that one names.`);
      else {
        models.push({ path: file.path, name: file.name, size: file.size, mesh: kind, crs });
        if (kind === 'gltf') images.push(...(await unpackImages(file, scratch)));
      }
    }
  }
  if (models.length > 0) return { models, images, sides };
  throw new JobFailure(
    'notRecognised',
    'None of the inputs is a mesh. Use OBJ, glTF, PLY or STL, or a zip file or folder with them.',
  );
}
