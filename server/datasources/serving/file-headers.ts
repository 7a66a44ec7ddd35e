/** Headers that are the same for every response with a file, computed once. */
export interface FileHeaders {
  readonly etag: string;
  /** The ETag of the unpacked representation. */
  readonly etagUnpacked: string;
  readonly lastModified: string;
  readonly contentType: string;
  /** Browsers must save it and never show it as a page. */
  readonly isAttachment: boolean;
}

/**
 * The encoding of stored bytes: `gzip` under a plain name, as some tilers write; `deflate` and `zstd` by a zip file;
 * `gzipInDeflate` both.
 */
export type Packing = 'none' | 'gzip' | 'deflate' | 'gzipInDeflate' | 'zstd';

/** A file as it is served: an object, or a member of an archive. */
export interface ServedFile extends FileHeaders {
  readonly bucketId: string;
  /** In its bucket; for a member of an archive, followed by its path in it. */
  readonly key: string;
  readonly blobId: string;
  /** Offset of its first byte in the blob. */
  readonly offset: number;
  /** Number of stored bytes. */
  readonly size: number;
  readonly modified: Date;
  readonly packing: Packing;
  /** CRC and size of the content if `packing` is `deflate` or `zstd`. */
  readonly crc32: number;
  readonly unpackedSize: number;
}

interface File {
  readonly sha256: string;
  readonly contentType: string;
  readonly modified: Date;
}

export function headersOf({ sha256, contentType, modified }: File): FileHeaders {
  // uploaded data must not add scripts or styles to our pages
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

/** Returns whether tilers are known to write such files gzipped under a plain name. */
export function isPackable(key: string): boolean {
  return packable.test(key);
}

/** Returns whether the client accepts gzip. */
export function takesGzip(acceptEncoding: string | undefined): boolean {
  return (
    acceptEncoding !== undefined && /(^|[\s,])(gzip|\*)(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(acceptEncoding)
  );
}

/** Returns whether the client names zstd; `*` does not count. */
export function takesZstd(acceptEncoding: string | undefined): boolean {
  return acceptEncoding !== undefined && /(^|[\s,])zstd\s*(,|$)/i.test(acceptEncoding);
}

/**
 * Who may cache a response, and how long. `public` and `private` are always revalidated, so that a withdrawn app is not
 * served from caches. `lasting` is a revision, which never changes, for one reader.
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
