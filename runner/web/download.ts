import { open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { FailedForTheMoment } from '../for-the-moment.ts';
import { JobFailed } from '../job-failed.ts';
import { fileNameOf } from './file-name.ts';
import { WebTrouble } from './addresses.ts';
import { request, type Asking } from './request.ts';

const attempts = 5;
const firstPauseMs = 500;

/** How much may come, and what to say of more. */
export interface Room {
  readonly bytes: number;
  readonly message: string;
}

export interface Download extends Omit<Asking, 'headers'> {
  readonly url: string;
  /** The file to write. */
  readonly path: string;
  /** In bytes. */
  readonly longest: number;
  readonly room?: Room;
  readonly onProgress?: (done: number, total: number | undefined) => void;
}

export interface Downloaded {
  /** As the server calls it, or the address; a plain file name. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * Fetches an address into a file. What breaks off goes on where it stopped, as long as the server says that it is still
 * the same; otherwise it begins anew.
 * @throws JobFailed in words for whoever named the address
 */
export async function download({ url, path, longest, onProgress, ...asking }: Download): Promise<Downloaded> {
  const file = await open(path, 'w', 0o600);
  const state: State = { done: 0, validator: undefined, name: undefined };
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await fetchRest(file, { url, longest, state, onProgress, ...asking });
        return { name: state.name ?? fileNameOf(url, undefined), size: state.done };
      } catch (error) {
        asking.signal.throwIfAborted();
        if (!(error instanceof WebTrouble)) throw error;
        if (attempt === attempts)
          throw error.isLasting
            ? new JobFailed('cannotFetch', error.message)
            : new FailedForTheMoment('cannotFetch', error.message);
        await sleep(firstPauseMs * 2 ** (attempt - 1), undefined, { signal: asking.signal });
      }
    }
  } finally {
    await file.close();
  }
}

interface State {
  /** So many bytes are in the file. */
  done: number;
  /** What tells versions of the file apart: a strong ETag. */
  validator: string | undefined;
  name: string | undefined;
}

type Fetching = Omit<Download, 'path' | 'onProgress'> & {
  readonly state: State;
  readonly onProgress: Download['onProgress'] | undefined;
};

type FileHandle = Awaited<ReturnType<typeof open>>;

async function fetchRest(file: FileHandle, { state, ...fetching }: Fetching): Promise<void> {
  const { url, longest, room, onProgress, access, signal, resolve } = fetching;
  const isRest = state.done > 0 && state.validator !== undefined;
  const headers = isRest ? { range: `bytes=${state.done}-`, 'if-range': state.validator! } : {};
  const response = await request(url, { access, signal, headers, ...(resolve && { resolve }) });
  try {
    const goesOn = isRest && response.statusCode === 206 && startOf(response) === state.done;
    requireSuccess(url, response, goesOn);
    if (!goesOn) begin(state, url, response);
    const declared = Number(response.headers['content-length'] ?? NaN);
    const total = Number.isFinite(declared) ? state.done + declared : undefined;
    const requireFit = (size: number) => {
      if (room && size > room.bytes) throw new JobFailed('cannotTransfer', room.message);
      if (size > longest) throw tooLarge(url, longest);
    };
    if (total !== undefined) requireFit(total);
    for await (const chunk of chunksOf(response, url)) {
      requireFit(state.done + chunk.byteLength);
      await file.write(chunk, 0, chunk.byteLength, state.done);
      state.done += chunk.byteLength;
      onProgress?.(state.done, total);
    }
    if (total !== undefined && state.done !== total)
      throw new WebTrouble(`“${url}” sent ${state.done} of ${total} bytes.`);
    await file.truncate(state.done);
  } finally {
    response.destroy();
  }
}

function begin(state: State, url: string, { headers }: IncomingMessage): void {
  const { etag } = headers;
  state.done = 0;
  state.validator = etag?.startsWith('"') ? etag : undefined;
  state.name = fileNameOf(url, headers['content-disposition']);
}

function requireSuccess(url: string, { statusCode = 0 }: IncomingMessage, goesOn: boolean): void {
  if (goesOn || statusCode === 200) return;
  const text = `“${url}” answered with the status ${statusCode}.`;
  if (statusCode >= 500 || statusCode === 429 || statusCode === 408) throw new WebTrouble(text);
  const advice =
    statusCode === 401 || statusCode === 403
      ? ' It wants a sign-in, which a job does not have: download it yourself and upload the file.'
      : '';
  throw new JobFailed('cannotFetch', text + advice);
}

function startOf({ headers }: IncomingMessage): number | undefined {
  const match = /^bytes (\d+)-/.exec(headers['content-range'] ?? '');
  return match ? Number(match[1]) : undefined;
}

async function* chunksOf(response: IncomingMessage, url: string): AsyncGenerator<Uint8Array> {
  try {
    yield* response as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new WebTrouble(`“${url}” broke off: ${(error as Error).message}.`, { cause: error });
  }
}

function tooLarge(url: string, longest: number): JobFailed {
  return new JobFailed('tooLarge', `“${url}” is larger than the ${longest} bytes that a file may have here.`);
}
