import type { GeoTransform } from '@platen/formats/geotiff/geo-transform';
import type { TiffImage } from '@platen/formats/geotiff/read-image';
import type { BlockReader, Samples } from '@platen/formats/geotiff/read-block';
import type { KeyedCrs } from '@platen/formats/geotiff/geo-crs';
import type { SampleType } from './sample-type.ts';
import type { WrittenTag } from '@platen/formats/geotiff/write-directory';

/** An image of a TIFF file. */
export interface SheetPart {
  readonly path: string;
  /** The number of its directory. */
  readonly directory: number;
}

/** A part of a sheet's file: the image, or its mask. */
export interface OpenPart {
  readonly image: Pick<
    TiffImage,
    'width' | 'height' | 'bands' | 'alphaBand' | 'isPlanar' | 'blockWidth' | 'blockHeight'
  >;
  /** Of a block; undefined: the file leaves it out. */
  readonly read: (column: number, row: number, plane: number) => Promise<Samples | undefined>;
  /** Instead, for a part of a block, where bytes are stored as they are. */
  readonly readInto?: BlockReader['readInto'];
}

/** What is needed to read the numbers of a GeoTIFF, or JPEG 2000. Plain data. */
export interface RasterPixels {
  /** The name of the input. */
  readonly name: string;
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  readonly bits: number;
  readonly sampleType: SampleType;
  /** Codes of TIFF. */
  readonly sampleFormat: number;
  readonly photometric: number;
  /** The meanings of the bands that are no colours. */
  readonly extraSamples: readonly number[];
  readonly alphaBand: number | undefined;
  /** As the file writes it. */
  readonly noDataText: string;
  readonly noData: number | undefined;
  readonly matrix: GeoTransform['matrix'] | undefined;
  readonly crs: KeyedCrs;
  /** In the file, or in one beside it. */
  readonly mask: SheetPart | undefined;
  /** Of its tiles or strips, in pixels. */
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** Bytes of its largest block, unpacked. */
  readonly blockBytes: number;
}

/** With the tags that are written again where the numbers are kept. */
export interface RasterSheet extends RasterPixels {
  /** What other programs need to understand the numbers: the same in all sheets of a mosaic. */
  readonly meaningTags: readonly WrittenTag[];
  /** Where it is. */
  readonly placeTags: readonly WrittenTag[];
  /** Its coordinate system. */
  readonly crsTags: readonly WrittenTag[];
  /** What it says of itself. */
  readonly textTags: readonly WrittenTag[];
}
