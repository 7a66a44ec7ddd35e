import { open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { EgressError, NetworkError } from './errors.ts';
import { fileNameOf } from './file-name.ts';
import { request, type RequestOptions } from './request.ts';

const maxAttempts = 5;
const firstBackoffMs = 500;

/** Bytes left where the file is to be stored, and the message for a file that exceeds them. */
export interface DownloadQuota {
  readonly bytes: number;
  readonly message: string;
}

export interface Download extends Omit<RequestOptions, 'headers'> {
  readonly url: string;
  /** The file to write. */
  readonly path: string;
  readonly maxBytes: number;
  readonly quota?: DownloadQuota;
  readonly onProgress?: (done: number, total: number | undefined) => void;
}

export interface DownloadedFile {
  /** A plain file name, from the response or else from the address. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * Downloads an address into a file. An interrupted download resumes with a range request while the server's ETag is the
 * same, and otherwise restarts.
 * @throws EgressError with a message for the user who entered the address
 */
export async function download({ url, path, onProgress, ...options }: Download): Promise<DownloadedFile> {
  const file = await open(path, 'w', 0o600);
  const state: DownloadState = { done: 0, validator: undefined, name: undefined };
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await fetchRest(file, { url, state, onProgress, ...options });
        return { name: state.name ?? fileNameOf(url, undefined), size: state.done };
      } catch (error) {
        options.signal.throwIfAborted();
        if (!(error instanceof NetworkError)) throw error;
        if (attempt === maxAttempts)
          throw new EgressError('cannotFetch', error.message, { isTransient: !error.isPermanent });
        await sleep(firstBackoffMs * 2 ** (attempt - 1), undefined, { signal: options.signal });
      }
    }
  } finally {
    await file.close();
  }
}

interface DownloadState {
  /** Bytes written to the file. */
  done: number;
  /** Strong ETag of the version that is being downloaded. */
  validator: string | undefined;
  name: string | undefined;
}

type RangeOptions = Omit<Download, 'path' | 'onProgress'> & {
  readonly state: DownloadState;
  readonly onProgress: Download['onProgress'] | undefined;
};

type FileHandle = Awaited<ReturnType<typeof open>>;

async function fetchRest(file: FileHandle, { state, ...options }: RangeOptions): Promise<void> {
  const { url, maxBytes, quota, onProgress, policy, signal, resolve } = options;
  const isRest = state.done > 0 && state.validator !== undefined;
  const headers = isRest ? { range: `bytes=${state.done}-`, 'if-range': state.validator! } : {};
  const response = await request(url, { policy, signal, headers, ...(resolve && { resolve }) });
  try {
    const isResumed = isRest && response.statusCode === 206 && rangeStartOf(response) === state.done;
    requireSuccess(url, response, isResumed);
    if (!isResumed) restart(state, url, response);
    const declared = Number(response.headers['content-length'] ?? NaN);
    const total = Number.isFinite(declared) ? state.done + declared : undefined;
    const requireFit = (size: number) => {
      if (quota && size > quota.bytes) throw new EgressError('cannotTransfer', quota.message);
      if (size > maxBytes) throw tooLarge(url, maxBytes);
    };
    if (total !== undefined) requireFit(total);
    for await (const chunk of chunksOf(response, url)) {
      requireFit(state.done + chunk.byteLength);
      await file.write(chunk, 0, chunk.byteLength, state.done);
      state.done += chunk.byteLength;
      onProgress?.(state.done, total);
    }
    if (total !== undefined && state.done !== total)
      throw new NetworkError(`“${url}” sent ${state.done} of ${total} bytes.`);
    await file.truncate(state.done);
  } finally {
    response.destroy();
  }
}

function restart(state: DownloadState, url: string, { headers }: IncomingMessage): void {
  const { etag } = headers;
  state.done = 0;
  state.validator = etag?.startsWith('"') ? etag : undefined;
  state.name = fileNameOf(url, headers['content-disposition']);
}

function requireSuccess(url: string, { statusCode = 0 }: IncomingMessage, isResumed: boolean): void {
  if (isResumed || statusCode === 200) return;
  const text = `“${url}” answered with status ${statusCode}.`;
  if (statusCode >= 500 || statusCode === 429 || statusCode === 408) throw new NetworkError(text);
  const advice =
    statusCode === 401 || statusCode === 403
      ? ' It requires a login, which a job does not have. Download the file yourself and upload it.'
      : '';
  throw new EgressError('cannotFetch', text + advice);
}

function rangeStartOf({ headers }: IncomingMessage): number | undefined {
  const match = /^bytes (\d+)-/.exec(headers['content-range'] ?? '');
  return match ? Number(match[1]) : undefined;
}

async function* chunksOf(response: IncomingMessage, url: string): AsyncGenerator<Uint8Array> {
  try {
    yield* response as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new NetworkError(`“${url}” was interrupted: ${(error as Error).message}.`, { cause: error });
  }
}

function tooLarge(url: string, maxBytes: number): EgressError {
  return new EgressError('tooLarge', `“${url}” exceeds the maximum file size of ${maxBytes} bytes.`);
}
