import type { Context } from '../../base/context.ts';
import { usableKey } from '../../files/objects/key.ts';
import { isPackable, type ServedFile } from '../../datasources/serving/file-headers.ts';
import type { DrawPicture } from '../../apps/app-pictures/drawn-picture.ts';
import type { ServingCache } from '../../datasources/serving/serving-cache.ts';
import type { Entry, Part } from './part.ts';
import { openPlain, plainSizeOf } from './plain-bytes.ts';
import { findFolderFiles, type BundleSource } from './sources.ts';

const atOnce = 500;

/** Context for reading the bytes of sources. */
export interface SourceContext {
  readonly context: Context;
  readonly library: ServingCache;
  /** Draws the pictures of apps. */
  readonly draw: DrawPicture;
}

/** The files of a folder, as they were in the revision. */
export function folderPart(sourceContext: SourceContext, source: BundleSource): Part {
  const { db } = sourceContext.context;
  const find = async (path: string) => {
    const file = await findFile(sourceContext, source, source.servedFolder! + path);
    return file && entryOf(sourceContext, path, file);
  };
  return {
    async *list(from) {
      for (let after = from; ;) {
        const files = await findFolderFiles(db, source, { after, limit: atOnce });
        for (const { key: path, size, sha256, contentType } of files) {
          // whether a tiler wrote the file gzipped under a plain name is only known when it is read
          const known = isPackable(path) ? {} : { size };
          const open = async () => (await find(path))!.open();
          yield { file: { path, ...known, version: sha256.slice(0, 32), contentType, open }, next: path };
        }
        if (files.length < atOnce) return;
        after = files.at(-1)!.key;
      }
    },
    find,
  };
}

/** The one file that the data is, under its own name. */
export function filePart(sourceContext: SourceContext, source: BundleSource): Part {
  const key = source.bucketKey!;
  const name = key.slice(key.lastIndexOf('/') + 1);
  const find = async (path: string) => {
    const file = path === name ? await findFile(sourceContext, source, key) : undefined;
    return file && entryOf(sourceContext, name, file);
  };
  return {
    async *list(from) {
      const file = from === '' ? await find(name) : undefined;
      if (file) yield { file, next: name };
    },
    find,
  };
}

/** A file of the bucket, as it was in the revision. */
export async function findFile(
  { library }: SourceContext,
  { _id, revision, bucketId }: BundleSource,
  wanted: string,
): Promise<ServedFile | undefined> {
  const key = usableKey(wanted);
  if (key === undefined) return undefined;
  return library.fileOfRevision(_id, revision, { bucketId: bucketId!, key });
}

/** The file without compression, wherever it is stored. */
export function entryOf({ context }: SourceContext, path: string, file: ServedFile): Entry {
  const { etag, contentType } = file;
  const size = plainSizeOf(file);
  return {
    path,
    ...(size !== undefined && { size }),
    version: etag.slice(1, 33),
    contentType,
    open: () => openPlain(context.store, file),
  };
}
