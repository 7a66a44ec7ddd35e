import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { strict } from './schema.ts';

/**
 * A file of the bundle that a publishing job uploads. Together they form a folder that any static web server can
 * serve.
 */
export const BundleFile = Type.Object({
  path: Type.String({ description: 'Relative path in the bundle, with / between folders' }),
  size: Type.Optional(Type.Integer({ description: 'Size in bytes; absent if unknown before reading' })),
  version: Type.String({ description: 'Changes when the content may have changed' }),
  contentType: Type.String(),
  isEntry: Type.Optional(
    Type.Literal(true, {
      description: 'Entry file of the bundle; upload it last, after everything it refers to',
    }),
  ),
});
export type BundleFile = Static<typeof BundleFile>;

const port = Type.Integer({ minimum: 1, maximum: 65_535 });

/** The destination of a bundle with its secrets. Only the holder of the job receives it, once per attempt. */
export const BundleTarget = Type.Union([
  Type.Object({
    type: Type.Literal('fs'),
    folder: Type.String({
      description: 'Relative to the folder configured by the operator of the runner, with / between folders',
    }),
  }),
  Type.Object({
    type: Type.Literal('sftp'),
    host: Type.String(),
    port,
    username: Type.String(),
    password: Type.Optional(Type.String()),
    privateKey: Type.Optional(Type.String({ description: 'PEM or OpenSSH' })),
    passphrase: Type.Optional(Type.String()),
    hostKey: Type.Optional(
      Type.String({
        description:
          'Fingerprint as shown by ssh-keygen -l: SHA256:…; connections to other hosts are refused',
      }),
    ),
    folder: Type.String({ description: 'Absolute, or relative to the home folder of the login' }),
  }),
  Type.Object({
    type: Type.Literal('ftp'),
    host: Type.String(),
    port,
    username: Type.String(),
    password: Type.String(),
    isSecure: Type.Boolean({ description: 'Use TLS' }),
    folder: Type.String(),
  }),
  Type.Object({
    type: Type.Literal('s3'),
    endpoint: Type.Optional(Type.String({ description: 'Default: Amazon S3' })),
    region: Type.String(),
    bucket: Type.String(),
    isPathStyle: Type.Boolean(),
    accessKeyId: Type.String(),
    secretAccessKey: Type.String(),
    sessionToken: Type.Optional(Type.String()),
    prefix: Type.String({ description: 'Empty, or ends in /' }),
  }),
]);
export type BundleTarget = Static<typeof BundleTarget>;

const tag = 'runner';
const place = '/runner/job/:jobId';

export const runnerBundleEndpoints = endpoints({
  getRunnerJobTarget: {
    method: 'GET',
    path: `${place}/target`,
    tag,
    summary: 'Get the destination of a publishing job, with its login',
    access: 'job',
    reply: Type.Object({
      target: BundleTarget,
      numThreads: Type.Integer({ minimum: 1, maximum: 32, description: 'Parallel file transfers' }),
      gzip: Type.Boolean({ description: 'Whether to compress text files with gzip' }),
    }),
    shownOnce: true,
    errors: ['unusable_reference'],
  },
  getRunnerJobBundle: {
    method: 'GET',
    path: `${place}/bundle`,
    tag,
    summary: 'List up to 1000 files of the bundle; stable throughout an attempt',
    access: 'job',
    query: strict({ cursor: Type.String({ maxLength: 2048, default: '' }) }),
    reply: Type.Object({
      files: Type.Array(BundleFile),
      next: Type.Optional(Type.String({ description: 'Cursor of the next page; absent on the last page' })),
    }),
    errors: ['unusable_reference', 'unprocessable'],
  },
  getRunnerJobBundleFile: {
    method: 'GET',
    path: `${place}/bundle-file`,
    tag,
    summary: 'Read one file of the bundle',
    access: 'job',
    query: strict({ path: Type.String({ minLength: 1, maxLength: 2048 }) }),
    download: true,
    errors: ['unusable_reference'],
  },
});
