/** The headers of a file that are the same for every answer; made once, as there are many answers. */
export interface FileHeaders {
  readonly etag: string;
  /** That of the same file unpacked: another representation. */
  readonly etagUnpacked: string;
  readonly lastModified: string;
  readonly contentType: string;
  /** Browsers must save it and never show it as a page. */
  readonly isAttachment: boolean;
}

/**
 * What was done to the bytes that are stored: `gzip` although the name does not say so, as some tilers write them;
 * `deflate` and `zstd` by the zip file that they lie in; `gzipInDeflate` both.
 */
export type Packing = 'none' | 'gzip' | 'deflate' | 'gzipInDeflate' | 'zstd';

/** A file as it is served: an object, or a member of an archive. */
export interface ServedFile extends FileHeaders {
  readonly blobId: string;
  /** Where its bytes begin in the blob. */
  readonly offset: number;
  /** Of the stored bytes. */
  readonly size: number;
  readonly modified: Date;
  readonly packing: Packing;
  /** Both of the content, where `packing` is `deflate` or `zstd`. */
  readonly crc32: number;
  readonly unpackedSize: number;
}

interface File {
  readonly sha256: string;
  readonly contentType: string;
  readonly modified: Date;
}

export function headersOf({ sha256, contentType, modified }: File): FileHeaders {
  // whoever uploads data must not be able to add scripts or styles to our pages
  const isActive = /javascript|ecmascript|css|wasm/i.test(contentType);
  return {
    etag: `"${sha256}"`,
    etagUnpacked: `"${sha256}-u"`,
    lastModified: modified.toUTCString(),
    contentType: isActive ? 'application/octet-stream' : contentType,
    isAttachment: isActive || /html|svg|xml/i.test(contentType),
  };
}

const packable = /\.(terrain|pbf|mvt|b3dm|i3dm|pnts|cmpt|glb|json|geojson|subtree)$/i;

/** Is it a kind of file that tilers are known to write gzipped under its plain name? */
export function isPackable(key: string): boolean {
  return packable.test(key);
}

/** Does the client take gzip? */
export function takesGzip(acceptEncoding: string | undefined): boolean {
  return (
    acceptEncoding !== undefined && /(^|[\s,])(gzip|\*)(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(acceptEncoding)
  );
}

/** Only where it says so by name: few do. */
export function takesZstd(acceptEncoding: string | undefined): boolean {
  return acceptEncoding !== undefined && /(^|[\s,])zstd\s*(,|$)/i.test(acceptEncoding);
}

/** For every answer below /data: any page may read it, none may run it. */
export const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Accept-Ranges, Content-Encoding, Content-Length, Content-Range, ETag',
  'content-security-policy': 'sandbox',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * Who may keep an answer, and for how long. `public` and `private`: always asked again, so that after an app was taken back
 * nobody goes on from a cache. `lasting`: a revision, which never changes, for one reader alone.
 */
export type Caching = 'public' | 'private' | 'lasting';

export function cacheHeaders(caching: Caching) {
  return headersOfCaching[caching];
}

const varyOfOne = 'Accept-Encoding, Authorization, Cookie';
const headersOfCaching = {
  public: { 'cache-control': 'public, max-age=0, must-revalidate', vary: 'Accept-Encoding' },
  private: { 'cache-control': 'private, max-age=0, must-revalidate', vary: varyOfOne },
  lasting: { 'cache-control': 'private, max-age=3600, immutable', vary: varyOfOne },
} as const;
