/** What the beginning of a picture says, without decoding any of it. */
export interface ImageHeader {
  readonly format: 'jpeg' | 'png' | 'webp';
  /** In pixels; 0 where the file is too damaged to tell. */
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  /** Of each sample. */
  readonly bits: number;
  readonly hasAlpha: boolean;
  /** Progressive or interlaced: all of it has to be in memory at once to see anything. */
  readonly isInterlaced: boolean;
  /** Of EXIF: a TIFF of its own. */
  readonly exif: Uint8Array | undefined;
  /** What is wrong with it. */
  readonly fault: string | undefined;
}

export function damagedImage(format: ImageHeader['format'], fault: string): ImageHeader {
  const unknown = { width: 0, height: 0, bands: 0, bits: 8, hasAlpha: false, isInterlaced: false };
  return { format, ...unknown, exif: undefined, fault };
}
