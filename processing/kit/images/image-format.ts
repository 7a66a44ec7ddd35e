export type ImageFormat = 'avif' | 'jpeg' | 'png' | 'tiff' | 'webp';

/** How files of each begin. */
const beginnings: Readonly<Record<ImageFormat, RegExp>> = {
  avif: /^....ftypavi[fs]/s,
  jpeg: /^\xff\xd8\xff/,
  png: /^\x89PNG\r\n.\n/s,
  tiff: /^(?:II[*+]\0|MM\0[*+])/,
  webp: /^RIFF....WEBP/s,
};
const beginningBytes = 12;

/** Native code gets to see no other formats. */
export function imageFormatOf(bytes: Uint8Array): ImageFormat | undefined {
  const beginning = Buffer.from(bytes.subarray(0, beginningBytes)).toString('latin1');
  return (Object.keys(beginnings) as ImageFormat[]).find((format) => beginnings[format].test(beginning));
}
