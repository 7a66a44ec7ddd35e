import { openFile } from '@platen/formats/bytes/open-file';
import { looksLikeCityJson } from '@platen/formats/cityjson/looks-like-city-json';
import { unpackUpload, type RecognisedFile } from '@platen/formats/open/unpack-upload';
import { SourceError } from '@platen/formats/source/source';
import { rootElement } from '@platen/formats/xml/root-element';
import { JobFailure, type JobContext, type JobInput } from '../../job-type.ts';

/** A city model to read. Plain data. */
export interface ModelFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly format: 'citygml' | 'cityjson';
  /** Overrides the CRS that the file names. */
  readonly crs: string | undefined;
}

/** A file that models may refer to, by its name. */
export interface SideFile {
  readonly path: string;
  readonly name: string;
}

export interface FoundModels {
  readonly models: readonly ModelFile[];
  readonly images: readonly SideFile[];
  readonly codeLists: readonly SideFile[];
}

const headBytes = 1 << 16;
const imageEnding = /\.(?:jpe?g|png|tiff?|webp)$/i;

/**
 * Unpacks the inputs and tells models, images and code lists among their files.
 * @param scratch a folder that exists @throws JobFailure
 */
export async function findModels(
  inputs: readonly JobInput[],
  scratch: string,
  { signal, log }: Pick<JobContext, 'signal' | 'log'>,
): Promise<FoundModels> {
  const models: ModelFile[] = [];
  const images: SideFile[] = [];
  const codeLists: SideFile[] = [];
  for (const { path, name, size, related, crs } of inputs) {
    const uploaded = { path, name, size, ...(related !== undefined && { related }) };
    const { members } = await unpackUpload(uploaded, { signal, scratch }).catch((error: unknown) => {
      if (!(error instanceof SourceError)) throw error;
      throw new JobFailure(error.code, `${name}: ${error.message}.`, { cause: error });
    });
    for (const { file } of members) {
      signal.throwIfAborted();
      const kind = await kindOf(file);
      if (kind === 'image') images.push(file);
      else if (kind === 'codeList') codeLists.push(file);
      else if (kind !== undefined)
        models.push({ path: file.path, name: file.name, size: file.size, format: kind, crs });
      else log('info', `${file.name} is no city model, and no image or code list of one.`);
    }
  }
  if (models.length === 0)
    throw new JobFailure(
      'notRecognised',
      'None of the inputs is a city model. Use CityGML, CityJSON or CityJSONSeq, or a zip file or folder with them.',
    );
  return { models, images, codeLists };
}

async function kindOf({
  path,
  name,
  size,
}: RecognisedFile['file']): Promise<ModelFile['format'] | 'image' | 'codeList' | undefined> {
  if (imageEnding.test(name)) return 'image';
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
