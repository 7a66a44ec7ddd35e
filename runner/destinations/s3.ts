import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { S3, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { BundleTarget } from '@platen/contract/runner-bundle';
import { JobFailure } from '@platen/processing/job-type';
import { pinnedLookup, resolveAllowed } from '@platen/egress/addresses';
import { asJobFailure } from '../transient-error.ts';
import { cleanFolder, printable } from './clean-path.ts';
import type { Destination } from './destination.ts';
import { askS3, type S3Place } from './s3-ask.ts';
import { readShort } from './read-short.ts';
import { draftObject, limitParts } from './s3-draft.ts';
import { checkedAddress, type ConnectOptions } from './server-socket.ts';

export type S3Target = Extract<BundleTarget, { type: 's3' }>;

/** Without a byte for this long, the connection is closed. */
const idleTimeoutMs = 15_000;
const connectMs = 5_000;
const attempts = 3;
const regionForm = /^[a-z0-9-]{1,64}$/;
const bucketForm = /^[a-zA-Z0-9][\w.-]{1,254}$/;

/** @throws JobFailure */
export async function openS3(target: S3Target, reaching: ConnectOptions): Promise<Destination> {
  const endpoint = endpointOf(target, reaching);
  if (!bucketForm.test(target.bucket))
    throw new JobFailure('badDestination', `“${printable(target.bucket)}” is not a valid bucket name.`);
  const { hostname: host, port, origin } = endpoint;
  const prefix = cleanFolder(target.prefix);
  const address = `s3://${target.bucket}/${prefix} at ${origin}`;
  // the SDK derives other host names from it, which `checkedLookup` checks on each connection
  await checkedAddress({ host, port: Number(port), address }, reaching);
  const s3 = new S3(configOf(target, endpoint, reaching));
  return destinationOn({
    s3,
    bucket: target.bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    address,
    signal: reaching.signal,
  });
}

function endpointOf({ endpoint, region }: S3Target, { egressPolicy }: ConnectOptions): URL {
  if (!regionForm.test(region))
    throw new JobFailure('badDestination', `“${printable(region)}” is not a valid S3 region.`);
  // always given, as the SDK would otherwise read it from the runner's environment
  const address = endpoint ?? `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new JobFailure('badUrl', 'The endpoint of S3 in the credentials is not an https address.');
  if (url.protocol === 'http:' && !egressPolicy.allowsHttp)
    throw new JobFailure(
      'notHttps',
      `“${url.origin}” is not https: data sent over http can be changed on the way. The operator can allow it by PLATEN_FETCH_ALLOW=http.`,
    );
  return url;
}

function configOf(
  { region, isPathStyle, accessKeyId, secretAccessKey, sessionToken, endpoint: given }: S3Target,
  endpoint: URL,
  { egressPolicy }: ConnectOptions,
): S3ClientConfig {
  const agent = { keepAlive: true, lookup: checkedLookup(egressPolicy) };
  return {
    endpoint: endpoint.href,
    region,
    forcePathStyle: isPathStyle,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
    // few servers besides AWS support checksums newer than MD5
    ...(given !== undefined && {
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
    expectContinueHeader: false, // otherwise the SDK opens a connection for each part
    followRegionRedirects: false,
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: idleTimeoutMs,
      httpAgent: new http.Agent(agent),
      httpsAgent: new https.Agent(agent),
    },
  };
}

/** A lookup that rejects names with a forbidden address. */
function checkedLookup(policy: ConnectOptions['egressPolicy']): LookupFunction {
  const look = async (...[host, options, done]: Parameters<LookupFunction>) => {
    try {
      pinnedLookup(await resolveAllowed(host, { policy }))(host, options, done);
    } catch (error) {
      done(asJobFailure(error) as NodeJS.ErrnoException, '');
    }
  };
  return (...lookupArguments) => void look(...lookupArguments);
}

function destinationOn(place: S3Place): Destination {
  const { s3, bucket, prefix, address } = place;
  const at = (path: string) => ({ Bucket: bucket, Key: prefix + path });
  const slots = limitParts();
  return {
    address,
    gzip: 'instead',
    keepsDrafts: false,

    async read(path, maxBytes) {
      const head = await askS3(place, (options) => s3.headObject(at(path), options), [
        'NotFound',
        'NoSuchKey',
      ]);
      if (!head || (head.ContentLength ?? Infinity) > maxBytes) return undefined;
      return askS3(
        place,
        async (options) => {
          const { Body } = await s3.getObject(at(path), options);
          return Body && readShort(Body as Readable, maxBytes);
        },
        ['NoSuchKey'],
      );
    },

    async sizes(folder, names) {
      const found = new Map<string, number>();
      const start = prefix + (folder === '' ? '' : `${folder}/`);
      for (let token: string | undefined, more = true; more;) {
        const input = { Bucket: bucket, Prefix: start, Delimiter: '/', ContinuationToken: token };
        const page = await askS3(place, (options) => s3.listObjectsV2(input, options));
        for (const { Key: key = '', Size: size } of page?.Contents ?? []) {
          const name = key.slice(start.length);
          if (size !== undefined && names.has(name)) found.set(name, size);
        }
        token = page?.NextContinuationToken;
        more = page?.IsTruncated === true && token !== undefined;
      }
      return found;
    },

    draft: (path, body, about) => draftObject(place, { at: at(path), body, about, slots }),

    async remove(path) {
      await askS3(place, (options) => s3.deleteObject(at(path), options), ['NoSuchKey']);
    },

    async tidy(isOurs) {
      const input = { Bucket: bucket, Prefix: prefix };
      // write permission does not imply permission to list; then the bucket's lifecycle rules clean up
      const page = await askS3(place, (options) => s3.listMultipartUploads(input, options)).catch(
        () => undefined,
      );
      for (const { Key, UploadId } of page?.Uploads ?? []) {
        if (!Key || !UploadId || !isOurs(Key.slice(prefix.length))) continue;
        const upload = { Bucket: bucket, Key, UploadId };
        await askS3(place, (options) => s3.abortMultipartUpload(upload, options), ['NoSuchUpload']);
      }
    },

    async close() {
      s3.destroy();
    },
  };
}
