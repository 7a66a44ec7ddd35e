/** Headers of every response below /data: any page may read it, none may run it. */
export const openToAll = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Accept-Ranges, Content-Encoding, Content-Length, Content-Range, ETag',
  'content-security-policy': 'sandbox',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;
