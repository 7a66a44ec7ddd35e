import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sourceFormats } from './formats.ts';
import { joinShapefiles, putShpFirst } from './join-shapefiles.ts';
import { innerName, noData } from './no-data.ts';
import { SourceError, type OpenOptions, type Source } from '../source/source.ts';
import { unpackUpload, type RecognisedFile, type UploadedFile } from './unpack-upload.ts';

export interface OpenSourcesOptions extends OpenOptions {
  /** A folder that exists; what is unpacked stays in it until whoever made it removes it. */
  readonly scratchFolder: string;
  /** Of all that is unpacked; 64 GiB by default. */
  readonly maxBytes?: number;
}

/**
 * Unpacks gzip, zip and KMZ, recognises what is in them, and opens all that is data, in the order of names.
 * Whatever else lies beside data in a zip file is passed over.
 * @throws SourceError also if there is no data in it: then it tells what there is
 */
export async function openSources(uploaded: UploadedFile, options: OpenSourcesOptions): Promise<Source[]> {
  options.signal.throwIfAborted();
  const scratch = await mkdtemp(join(options.scratchFolder, 'unpacked-'));
  try {
    const upload = await unpackUpload(uploaded, { ...options, scratch });
    const { fromZip } = upload;
    const members = fromZip
      ? joinShapefiles(upload.members)
      : await Promise.all(upload.members.map(putShpFirst));
    const sources = fromZip ? await openMembers(members, options) : await openAll(members, options);
    if (sources.length === 0) throw noData({ members, fromZip });
    return sources;
  } catch (error) {
    await rm(scratch, { recursive: true, force: true });
    throw error;
  }
}

async function openAll(members: readonly RecognisedFile[], options: OpenOptions): Promise<Source[]> {
  const sources: Source[] = [];
  for (const { file, recognised } of members) {
    options.signal.throwIfAborted();
    if (recognised.is !== 'data') continue;
    const load = sourceFormats[recognised.format];
    if (load === undefined) throw new SourceError('unsupported', `${recognised.format} is not supported yet`);
    const format = await load();
    sources.push(await format.open(file, options));
  }
  return sources;
}

/** Of an archive: a table without coordinates is only wrong if there is nothing else. */
async function openMembers(members: readonly RecognisedFile[], options: OpenOptions): Promise<Source[]> {
  const sources: Source[] = [];
  let passedOver: SourceError | undefined;
  for (const member of members) {
    try {
      sources.push(...(await openAll([member], options)));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      const named = new SourceError(error.code, `${innerName(member)}: ${error.message}`, error.place, {
        cause: error,
      });
      const { recognised } = member;
      if (recognised.is !== 'data' || recognised.format !== 'csv' || error.code !== 'unsupported')
        throw named;
      passedOver ??= named;
    }
  }
  if (sources.length === 0 && passedOver !== undefined) throw passedOver;
  return sources;
}
