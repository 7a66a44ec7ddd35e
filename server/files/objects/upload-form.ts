import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../../base/failure.ts';
import { failureOf } from '../../http/problem.ts';
import { watchIdle, type IdleWatch } from '../../http/idle-watch.ts';
import { uploadShare } from '../../http/loop-share.ts';
import type { IncomingFile } from './upload.ts';

// one batch of the store: with less the socket is paused and resumed for each of its own small chunks
const bufferBytes = 1024 * 1024;
// approximate limit of the buffers of all forms together
const allBuffersBytes = 32 * 1024 * 1024;
const minBufferBytes = 64 * 1024;
let underWay = 0;
// the parser keeps all fields in memory until the end, though they are not used
const limits = {
  fileSize: Infinity,
  files: Infinity,
  parts: 10_000,
  fields: 100,
  fieldSize: 64 * 1024,
  headerPairs: 100,
};

/**
 * The files of a multipart request, one after the other and no faster than they are taken.
 * A client that sends nothing for `idleMs` while it is waited for is cut off.
 * @throws Failure `unsupported_media_type`, and `invalid` where the form is malformed or breaks off
 */
export async function* filesOf(request: FastifyRequest, idleMs: number): AsyncGenerator<IncomingFile> {
  if (!request.isMultipart()) {
    throw new Failure('unsupported_media_type', 'Send the files as multipart/form-data.');
  }
  const silence = watchIdle(request, idleMs);
  underWay++;
  const share = Math.max(minBufferBytes, Math.floor(allBuffersBytes / underWay));
  const fileHwm = Math.min(bufferBytes, share);
  const options = { limits, preservePath: true, throwFileSizeLimit: false, fileHwm };
  const parts = request.parts(options)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await silence.during(parts.next().catch(malformed));
      if (step.done) return;
      if (step.value.type === 'file') yield incoming(step.value, silence);
    }
  } finally {
    underWay--;
    silence.end();
  }
}

function incoming(part: MultipartFile, silence: IdleWatch): IncomingFile {
  // not destroyed when its reader stops early: the parser would never reach the next part
  const chunks = part.file.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  const next = async () => {
    const step = await silence.during(chunks.next().catch(malformed));
    if (!step.done) await uploadShare.take(step.value.byteLength);
    return step;
  };
  return {
    // a part named `file` is named by its file, any other by its field
    name: part.fieldname === undefined || part.fieldname === 'file' ? (part.filename ?? '') : part.fieldname,
    body: { [Symbol.asyncIterator]: () => ({ next }) },
    async drain() {
      while (!(await next()).done);
    },
  };
}

function malformed(error: unknown): never {
  if (error instanceof Failure) throw error;
  const { code } = failureOf(error);
  const detail = error instanceof Error ? error.message : String(error);
  throw new Failure(
    code === 'internal' ? 'invalid' : code,
    `The form data is malformed or broke off: ${detail}.`,
    {
      cause: error,
    },
  );
}
