import { maxPluginArchiveBytes } from '@platen/contract/map-plugins';
import type { Context } from '../../base/context.ts';
import { collectBytes } from '../../base/collect-bytes.ts';
import { Failure } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { entriesOf, readArchive, unpack } from './read-archive.ts';
import { lockVersion } from './store.ts';
import { keepArchive, tooLarge } from './upload.ts';

interface BundleFile {
  readonly body: AsyncIterable<Uint8Array>;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

/** Stores the plugins of an archive by npm pack, or of a tar.gz of such archives, except versions that are the same. */
export async function uploadBundle(
  context: Context,
  caller: Caller,
  { body, signal }: BundleFile,
): Promise<void> {
  const bytes = await collectBytes(body, maxPluginArchiveBytes, tooLarge);
  const packed = [...entriesOf(await unpack(bytes))].filter(({ name }) => /\.(?:tgz|tar\.gz)$/.test(name));
  for (const content of packed.length > 0 ? packed.map((entry) => entry.content) : [bytes]) {
    const archive = await readArchive(content);
    const known = await lockVersion(context.db, archive.name, archive.version);
    const isSame = known !== undefined && !known.isDeleted && known.sha256 === archive.sha256;
    if (!isSame) await keepArchive(context, caller, { archive, signal });
  }
}

export const noFile = (): Failure => new Failure('invalid', 'The form data contains no file.');
