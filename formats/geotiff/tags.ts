/** TIFF 6, its supplements, GeoTIFF 1.1 and what GDAL adds. */
export const tag = {
  subfileType: 254,
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planar: 284,
  software: 305,
  predictor: 317,
  colourMap: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  subDirectories: 330,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  yCbCrCoefficients: 529,
  yCbCrSubsampling: 530,
  referenceBlackWhite: 532,
  pixelScale: 33_550,
  tiepoints: 33_922,
  transformation: 34_264,
  geoKeys: 34_735,
  geoDoubles: 34_736,
  geoTexts: 34_737,
  gdalMetadata: 42_112,
  gdalNoData: 42_113,
  lercParameters: 50_674,
  rationalCoefficients: 50_844,
} as const;

export const compression = {
  none: 1,
  lzw: 5,
  jpeg: 7,
  deflate: 8,
  oldDeflate: 32_946,
  packBits: 32_773,
  lerc: 34_887,
  zstd: 50_000,
  webp: 50_001,
} as const;

const compressionNames: Readonly<Record<number, string>> = {
  1: 'none',
  2: 'CCITT RLE',
  3: 'CCITT fax 3',
  4: 'CCITT fax 4',
  5: 'LZW',
  6: 'old JPEG',
  7: 'JPEG',
  8: 'Deflate',
  32_773: 'PackBits',
  32_946: 'Deflate',
  34_712: 'JPEG 2000',
  34_887: 'LERC',
  34_925: 'LZMA',
  50_000: 'ZSTD',
  50_001: 'WebP',
  50_002: 'JPEG XL',
};

export function compressionName(code: number): string {
  return compressionNames[code] ?? `unknown (${code})`;
}

export const photometric = {
  whiteIsZero: 0,
  blackIsZero: 1,
  rgb: 2,
  palette: 3,
  mask: 4,
  cmyk: 5,
  yCbCr: 6,
  lab: 8,
} as const;

const photometricNames: Readonly<Record<number, string>> = {
  0: 'white is zero',
  1: 'black is zero',
  2: 'RGB',
  3: 'palette',
  4: 'mask',
  5: 'CMYK',
  6: 'YCbCr',
  8: 'CIELab',
};

export function photometricName(code: number): string {
  return photometricNames[code] ?? `unknown (${code})`;
}
