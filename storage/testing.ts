import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { StorageFailure, type StorageFailureCode } from './object-store.ts';

export async function* chunks(parts: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* parts;
}

export async function* inChunks(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export function text(content: string): AsyncIterable<Uint8Array> {
  return Readable.from([Buffer.from(content)]);
}

/** Compares without printing megabytes where they differ. */
export function assertSame(actual: Uint8Array | undefined, expected: Uint8Array): void {
  assert.ok(actual);
  assert.equal(actual.byteLength, expected.byteLength);
  assert.ok(Buffer.compare(actual, expected) === 0, 'the bytes differ');
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function rejectsWith(code: StorageFailureCode, promise: Promise<unknown>): Promise<void> {
  await assert.rejects(promise, (error) => codeOf(error) === code);
}

export function codeOf(error: unknown): StorageFailureCode | undefined {
  return error instanceof StorageFailure ? error.code : undefined;
}
