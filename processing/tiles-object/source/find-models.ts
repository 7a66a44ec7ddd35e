import { openFile } from '@platen/formats/bytes/open-file';
import { looksLikeCityJson } from '@platen/formats/cityjson/looks-like-city-json';
import { unpackUpload, type RecognisedFile } from '@platen/formats/open/unpack-upload';
import { SourceError } from '@platen/formats/source/source';
import { rootElement } from '@platen/formats/xml/root-element';
import { openInputs, type InputPart } from '../../features/open-inputs.ts';
import { JobFailure, type JobContext, type JobInput } from '../../job-type.ts';

/** A city model to read. Plain data. */
export interface ModelFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly format: 'citygml' | 'cityjson' | 'footprints';
  /** The part of a vector file, for footprints. */
  readonly part?: InputPart;
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
  { signal, log, warn }: Pick<JobContext, 'signal' | 'log' | 'warn'>,
): Promise<FoundModels> {
  const models: ModelFile[] = [];
  const images: SideFile[] = [];
  const codeLists: SideFile[] = [];
  for (const input of inputs) {
    const { path, name, size, related, crs } = input;
    const uploaded = { path, name, size, ...(related !== undefined && { related }) };
    const { members } = await unpackUpload(uploaded, { signal, scratch }).catch((error: unknown) => {
      if (!(error instanceof SourceError)) throw error;
      throw new JobFailure(error.code, `${name}: ${error.message}.`, { cause: error });
    });
    const before = models.length + images.length + codeLists.length;
    for (const { file } of members) {
      signal.throwIfAborted();
      const kind = await kindOf(file);
      if (kind === 'image') images.push(file);
      else if (kind === 'codeList') codeLists.push(file);
      else if (kind !== undefined)
        models.push({ path: file.path, name: file.name, size: file.size, format: kind, crs });
      else log('info', `${file.name} is no city model, and no image or code list of one.`);
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
      'None of the inputs is a city model. Use CityGML, CityJSON or CityJSONSeq, a zip file or folder with them, or polygons in a vector format.',
    );
  return { models, images, codeLists };
}

async function kindOf({
  path,
  name,
  size,
}: RecognisedFile['file']): Promise<'citygml' | 'cityjson' | 'image' | 'codeList' | undefined> {
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
