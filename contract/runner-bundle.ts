import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { strict } from './schema.ts';

/**
 * One file of a bundle: of what a publishing job carries to its destination. All of them make a folder that any static web
 * server can offer.
 */
export const BundleFile = Type.Object({
  path: Type.String({ description: 'In the bundle: relative, with / between folders' }),
  size: Type.Optional(
    Type.Integer({ description: 'In bytes; absent where it is known only once it is read' }),
  ),
  version: Type.String({ description: 'Another one where the content may be another' }),
  contentType: Type.String(),
  isEntry: Type.Optional(
    Type.Literal(true, {
      description: 'Whoever opens the bundle begins with it: it comes last, when all it leads to is there',
    }),
  ),
});
export type BundleFile = Static<typeof BundleFile>;

const port = Type.Integer({ minimum: 1, maximum: 65_535 });

/** Where a bundle goes, and what opens it. Only the holder of the job gets it, once for each attempt. */
export const BundleTarget = Type.Union([
  Type.Object({
    type: Type.Literal('fs'),
    folder: Type.String({
      description: 'Below the folder that the operator of the runner names; relative, with / between folders',
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
      Type.String({ description: 'As ssh-keygen -l shows it: SHA256:…; no other host is spoken to' }),
    ),
    folder: Type.String({ description: 'Absolute, or relative to where the login leads' }),
  }),
  Type.Object({
    type: Type.Literal('ftp'),
    host: Type.String(),
    port,
    username: Type.String(),
    password: Type.String(),
    isSecure: Type.Boolean({ description: 'By TLS' }),
    folder: Type.String(),
  }),
  Type.Object({
    type: Type.Literal('s3'),
    endpoint: Type.Optional(Type.String({ description: 'Absent: that of Amazon' })),
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
    summary: 'Get where the bundle of a publishing job goes, with what opens it',
    access: 'job',
    reply: Type.Object({
      target: BundleTarget,
      numThreads: Type.Integer({ minimum: 1, maximum: 32, description: 'Files under way at once' }),
      gzip: Type.Boolean({ description: 'Text and the like are to be served gzipped' }),
    }),
    shownOnce: true,
    errors: ['unusable_reference'],
  },
  getRunnerJobBundle: {
    method: 'GET',
    path: `${place}/bundle`,
    tag,
    summary: 'List up to 1000 files of the bundle; the same ones throughout an attempt',
    access: 'job',
    query: strict({ cursor: Type.String({ maxLength: 2048, default: '' }) }),
    reply: Type.Object({
      files: Type.Array(BundleFile),
      next: Type.Optional(Type.String({ description: 'The cursor of those that follow; absent: none do' })),
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
