/** An account of an S3 server. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Location of objects on S3. It holds no credentials, as settings are printed, logged and visible in process lists.
 */
export interface S3Setting {
  readonly bucket: string;
  /** Prefix of all keys: empty, or ending with a slash. */
  readonly prefix: string;
  /** Endpoint of a server other than AWS. */
  readonly endpoint: string | undefined;
  /** Undefined: taken from the environment of the AWS tools. */
  readonly region: string | undefined;
}

const FORM = 's3://bucket/prefix?endpoint=https://s3.example.org&region=eu-central-1';
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
// The characters that S3 calls safe: servers and proxies agree on them.
const PREFIX = /^(?!\.{1,2}(\/|$))[\w.-]+(\/(?!\.{1,2}(\/|$))[\w.-]+)*$/;

/**
 * Parses `s3://bucket[/prefix]?endpoint=…&region=…`. Throws an Error that says what is wrong, without repeating
 * secrets.
 */
export function parseS3Setting(setting: string): S3Setting {
  if (!URL.canParse(setting)) throw wrong('it is not a URL');
  const { username, password, host: bucket, pathname, searchParams, hash } = new URL(setting);
  if (username || password || searchParams.has('accessKeyId') || searchParams.has('secretAccessKey')) {
    throw wrong('credentials do not belong here but in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  }
  if (!BUCKET.test(bucket)) throw wrong('the name of the bucket is not valid');
  const prefix = pathname.replace(/^\/+|(?<!\/)\/+$/g, '');
  if (prefix !== '' && !PREFIX.test(prefix)) {
    throw wrong('the prefix may consist of letters, digits and . _ - between single slashes');
  }
  if (hash) throw wrong('it must not contain #');
  for (const name of searchParams.keys()) {
    if (name !== 'endpoint' && name !== 'region') throw wrong(`“${name}” is not known`);
  }
  return {
    bucket,
    prefix: prefix && `${prefix}/`,
    endpoint: endpointOf(searchParams.get('endpoint') || undefined),
    region: searchParams.get('region') || undefined,
  };
}

function endpointOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw wrong('the endpoint must be an address that starts with https:// or http://');
  }
  const { origin, pathname, username, search } = new URL(value);
  if (pathname !== '/' || username || search)
    throw wrong('the endpoint must have the form https://host:port');
  return origin;
}

function wrong(what: string): Error {
  return new Error(`The storage setting for S3 is not valid: ${what}. Use ${FORM}.`);
}
