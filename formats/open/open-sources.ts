import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sourceFormats } from './formats.ts';
import { joinShapefiles, putShpFirst } from './join-shapefiles.ts';
import { innerName, noDataError } from './no-data.ts';
import { SourceError, type OpenOptions, type Source } from '../source/source.ts';
import { unpackUpload, type RecognisedFile, type UploadedFile } from './unpack-upload.ts';

export interface OpenSourcesOptions extends OpenOptions {
  /** An existing folder; its owner removes the unpacked files. */
  readonly scratchFolder: string;
  /** Limit of all unpacked content; 64 GiB by default. */
  readonly maxBytes?: number;
}

/**
 * Unpacks gzip, zip and KMZ, recognises the content, and opens all data, sorted by name. Other files in a zip file are
 * ignored.
 * @throws SourceError also for an upload without data; it says what the upload contains
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
    if (sources.length === 0) throw noDataError({ members, fromZip });
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

/** Opens the members of an archive. A table without coordinates is an error only if there is no other data. */
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
