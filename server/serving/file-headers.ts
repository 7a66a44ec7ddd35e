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

/** For every answer below /data: any page may read it, none may run it. */
export const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Accept-Ranges, Content-Encoding, Content-Length, Content-Range, ETag',
  'content-security-policy': 'sandbox',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** Always asked again: after an app was taken back nobody may go on from a cache. */
export function cacheHeaders(isPublic: boolean) {
  return isPublic
    ? ({ 'cache-control': 'public, max-age=0, must-revalidate', vary: 'Accept-Encoding' } as const)
    : ({
        'cache-control': 'private, max-age=0, must-revalidate',
        vary: 'Accept-Encoding, Authorization, Cookie',
      } as const);
}
