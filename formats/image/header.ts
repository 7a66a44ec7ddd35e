/** The header of a picture, read without decoding any pixel. */
export interface ImageHeader {
  readonly format: 'jpeg' | 'png' | 'webp';
  /** In pixels; 0 if the file is too damaged. */
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  /** Bits per sample. */
  readonly bits: number;
  readonly hasAlpha: boolean;
  /** Progressive or interlaced: all of it has to be in memory at once to see anything. */
  readonly isInterlaced: boolean;
  /** The EXIF data, a TIFF of its own. */
  readonly exif: Uint8Array | undefined;
  /** The problem with the file. */
  readonly fault: string | undefined;
}

export function damagedImage(format: ImageHeader['format'], fault: string): ImageHeader {
  const unknown = { width: 0, height: 0, bands: 0, bits: 8, hasAlpha: false, isInterlaced: false };
  return { format, ...unknown, exif: undefined, fault };
}
