import { tusVersion } from '@platen/contract/uploads';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../../base/failure.ts';
import { readMetadata, type UploadMetadata } from './metadata.ts';

type Headers = FastifyRequest['headers'];

/** Which every request but OPTIONS carries. */
export function requireVersion({ headers }: FastifyRequest): void {
  if (headers['tus-resumable'] === tusVersion) return;
  throw new Failure(
    'precondition_failed',
    `Tus-Resumable: This service supports tus ${tusVersion}. Send this version.`,
  );
}

/** The size of a new upload; undefined if the client sends it later. */
export function lengthOf(headers: Headers): number | undefined {
  const length = wholeNumber(headers, 'Upload-Length');
  const deferred = headers['upload-defer-length'];
  if (deferred !== undefined && deferred !== '1') throw wrong('Upload-Defer-Length', 'It can only be 1.');
  if (length !== undefined && deferred === undefined) return length;
  if (length === undefined && deferred !== undefined) return undefined;
  throw wrong('Upload-Length', 'Send either this, in bytes, or Upload-Defer-Length: 1.');
}

export function offsetOf(headers: Headers): number {
  const offset = wholeNumber(headers, 'Upload-Offset');
  if (offset === undefined) throw wrong('Upload-Offset', 'This field is required.');
  return offset;
}

export function laterLengthOf(headers: Headers): number | undefined {
  return wholeNumber(headers, 'Upload-Length');
}

/** Parts that are put together later would be files of their own here. */
export function refuseConcatenation(headers: Headers): void {
  if (headers['upload-concat'] === undefined) return;
  throw wrong(
    'Upload-Concat',
    'Concatenation of uploads is not supported. Send the file as one upload (parallelUploads: 1).',
  );
}

export function metadataOf(headers: Headers): UploadMetadata {
  return readMetadata(textOf(headers, 'Upload-Metadata') ?? '');
}

function wholeNumber(headers: Headers, name: string): number | undefined {
  const text = textOf(headers, name);
  if (text === undefined) return undefined;
  const number = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(number)) return number;
  throw wrong(name, 'It must be a number of bytes from 0 to 9007199254740991.');
}

function textOf(headers: Headers, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(',') : value;
}

function wrong(pointer: string, detail: string): Failure {
  return new Failure('invalid', `${pointer}: ${detail}`, { errors: [{ pointer, code: 'header', detail }] });
}
