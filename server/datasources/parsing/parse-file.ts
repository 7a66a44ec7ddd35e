import type { Bytes } from '@platen/formats/bytes/bytes';
import type { DirectoryRange } from '@platen/formats/zip/find-directory';
import { nameTableOf, type NameTableParts } from '@platen/formats/zip/name-table';
import type { ScannedDirectory } from '@platen/formats/zip/scan-directory';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import { findProjectOfBucket } from '../../files/buckets/store.ts';
import { documentTooLong, maxDocumentBytes, type Document, type PackedBytes } from './document.ts';
import { fileHost } from './file-host.ts';
import type { MbtilesDescription } from './read-mbtiles.ts';
import type { TilesetHost } from './names/read-names-of-tileset.ts';
import type { NamesInput } from './names/read-names.ts';
import type { TilesetNamesInput } from './names/read-tileset-names.ts';
import type { PmtilesDescription } from './read-pmtiles.ts';
import {
  readFolderMetadata,
  readMbtilesFile,
  readNames,
  readPmtilesFile,
  readSceneLayer,
  readTilesetNames,
  readZipDirectory,
} from './tasks.ts';

/** A stored file that is parsed; its content never changes. */
export interface ParsedFile {
  readonly bucketId: string;
  readonly key: string;
  readonly blobId: string;
  readonly size: number;
}

/** How a file is named in messages, at the beginning of a sentence. */
export const fileName = ({ key }: { readonly key: string }) =>
  `The file “${key.slice(key.lastIndexOf('/') + 1)}”`;

type Parsers = Pick<Context, 'db' | 'parsers'>;

async function requestOf({ db }: Parsers, file: Omit<ParsedFile, 'size'>) {
  return { tenant: await findProjectOfBucket(db, file.bucketId), file: fileName(file), keepAs: file.blobId };
}

/** @throws SqliteError, ParserStopped, Failure `unavailable` */
export async function describeMbtiles(
  context: Parsers,
  file: ParsedFile,
  bytes: Bytes,
): Promise<MbtilesDescription> {
  const { size } = file;
  const request = await requestOf(context, file);
  return context.parsers.run(readMbtilesFile, { ...request, input: { size }, host: fileHost(bytes) });
}

/** @throws ArchiveError, ParserStopped, Failure `unavailable` */
export async function describePmtiles(
  context: Parsers,
  file: Omit<ParsedFile, 'size'>,
  bytes: Bytes,
): Promise<PmtilesDescription> {
  const request = await requestOf(context, file);
  return context.parsers.run(readPmtilesFile, { ...request, input: undefined, host: fileHost(bytes) });
}

/** Lists the names of features, once for each content and attribute. @throws Failure, ParserStopped */
export async function listNames(
  context: Parsers,
  file: ParsedFile,
  { bytes, ...input }: Omit<NamesInput, 'size'> & { readonly bytes: Bytes },
): Promise<Uint8Array> {
  const request = await requestOf(context, file);
  const keepAs = `${file.blobId} names ${input.attribute}`;
  const { size } = file;
  return textOf(
    await context.parsers.run(readNames, {
      ...request,
      keepAs,
      input: { ...input, size },
      host: fileHost(bytes),
    }),
  );
}

/** Lists the names of features of a tileset in an archive, once for each content and attribute. @throws Failure, ParserStopped */
export async function listTilesetNames(
  context: Parsers,
  file: Omit<ParsedFile, 'size'>,
  { host, ...input }: TilesetNamesInput & { readonly host: TilesetHost },
): Promise<Uint8Array> {
  const request = await requestOf(context, file);
  const keepAs = `${file.blobId} names ${input.attribute}`;
  return textOf(await context.parsers.run(readTilesetNames, { ...request, keepAs, input, host }));
}

/** Scans the directory of a zip file. @throws ZipError, ParserStopped, Failure `unavailable` */
export async function scanZipDirectory(
  context: Parsers,
  file: ParsedFile,
  { bytes, directory }: { bytes: Bytes; directory: DirectoryRange },
): Promise<ScannedDirectory> {
  const { keepAs: _, ...request } = await requestOf(context, file); // the index that it is for is kept
  let columns: Pick<NameTableParts, 'offsets' | 'tags'> | undefined;
  const { topFolder, seed } = await context.parsers.run(readZipDirectory, {
    ...request,
    input: { size: file.size, directory },
    host: {
      ...fileHost(bytes),
      async begin(slots) {
        columns = { offsets: new Uint32Array(slots), tags: new Uint32Array(slots) };
      },
      async add(column, at, part) {
        columns![column].set(part, at);
      },
    },
  });
  return { topFolder, names: nameTableOf({ seed, ...columns! }) };
}

const documentTasks = { folderMetadata: readFolderMetadata, sceneLayer: readSceneLayer };

interface DocumentSource extends Omit<ParsedFile, 'size'> {
  readonly kind: keyof typeof documentTasks;
  /** Offset of the file in its blob. */
  readonly offset: number;
}

/** Makes a document from the stored bytes of a small file. @throws Failure */
export async function makeDocument(
  context: Parsers,
  { kind, offset, ...file }: DocumentSource,
  input: PackedBytes,
): Promise<Uint8Array> {
  const request = {
    ...(await requestOf(context, file)),
    keepAs: `${file.blobId} ${offset} ${input.packing}`,
  };
  return textOf(await context.parsers.run(documentTasks[kind], { ...request, input, host: {} }));
}

/** @throws Failure `unprocessable` that says what is wrong with the file */
export function textOf(document: Document): Uint8Array {
  if ('text' in document) return document.text;
  throw new Failure('unprocessable', document.fault);
}

/** @throws Failure `unprocessable` */
export function requireDocumentSize({ size }: { readonly size: number }): void {
  if (size > maxDocumentBytes) throw new Failure('unprocessable', documentTooLong);
}

/** Adds members to a JSON object that is text and has members already. */
export function withMembers(text: Uint8Array, members: object): Buffer {
  const added = Buffer.from(JSON.stringify(members));
  return Buffer.concat([text.subarray(0, -1), Buffer.from(','), added.subarray(1)]);
}
