import { Type } from 'typebox';
import { endpoints } from './endpoint.ts';
import { strict } from './schema.ts';

const tag = 'runner';
const place = '/runner/job/:jobId';

/** Files up to this size are sent in one stream; larger ones one by one. */
export const maxStreamedFileBytes = 2 ** 20;

/** Files that a job may leave. */
export const maxOutputFiles = 1_000_000;

const OutputOffset = Type.Object({
  offset: Type.Integer({ description: 'Number of durable bytes: where the next part begins' }),
});

const outputKey = Type.String({ minLength: 1, maxLength: 1024 });

const SentOutputs = Type.Object({
  files: Type.Integer({ description: 'Number of files that this attempt has stored' }),
});

/** Separate from the other endpoints, since only this scope of the server parses plain bytes. */
export const runnerOutputEndpoints = endpoints({
  putRunnerJobOutput: {
    method: 'PUT',
    path: `${place}/output`,
    tag,
    summary: 'Upload an output file; it becomes visible when the job completes',
    access: 'job',
    query: strict({ key: outputKey }),
    bodyKind: 'bytes',
    reply: Type.Object({ size: Type.Integer(), sha256: Type.String() }),
    errors: ['conflict', 'storage_full'],
  },
  putRunnerJobOutputPart: {
    method: 'PUT',
    path: `${place}/output-part`,
    tag,
    summary: 'Upload a large output file, or the rest of it after an interruption',
    description:
      'Bytes that arrived stay if the request is interrupted: ask for their number, and send those that come after them. The file is stored as soon as all of its bytes are there. An offset of 0 begins again.',
    access: 'job',
    query: strict({
      key: outputKey,
      size: Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Of the whole file, in bytes',
      }),
      offset: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'Number of durable bytes; any other is refused with 503',
      }),
    }),
    bodyKind: 'bytes',
    reply: OutputOffset,
    errors: ['conflict', 'storage_full', 'too_large', 'unavailable'],
  },
  putRunnerJobOutputs: {
    method: 'PUT',
    path: `${place}/outputs`,
    tag,
    summary: 'Upload output files of at most 1 MiB as one tar archive',
    description:
      'Files that arrived whole are stored even if the request is interrupted: ask for their number, and send the others. Each name may come once.',
    access: 'job',
    query: strict({
      first: Type.Integer({
        minimum: 0,
        maximum: maxOutputFiles,
        default: 0,
        description: 'Number of files that this attempt has stored before; any other is refused with 503',
      }),
    }),
    bodyKind: 'bytes',
    mediaType: 'application/x-tar',
    reply: SentOutputs,
    errors: ['conflict', 'unprocessable', 'storage_full', 'unavailable'],
  },
  getRunnerJobOutputPart: {
    method: 'GET',
    path: `${place}/output-part`,
    tag,
    summary: 'Get the number of durable bytes of an output file; a request that still sends it is ended',
    access: 'job',
    query: strict({ key: outputKey }),
    reply: OutputOffset,
    errors: ['conflict', 'unavailable'],
  },
  getRunnerJobOutputs: {
    method: 'GET',
    path: `${place}/outputs`,
    tag,
    summary: 'Get the number of output files that this attempt has stored',
    access: 'job',
    reply: SentOutputs,
  },
});
