import type { VerticalCrs } from '@platen/formats/crs/vertical-crs';
import type { GeoTransform } from '@platen/formats/geotiff/geo-transform';

/** A sheet of heights, as an input has it. Plain data, as it is sent to threads. */
export interface Sheet {
  /** The name of the input. */
  readonly name: string;
  /** Where its cells are: the input, or a scratch file made of it. */
  readonly path: string;
  /** The input, if the cells are in a scratch file. */
  readonly sourcePath?: string;
  readonly cells: 'int16' | 'float32' | 'geotiff';
  readonly width: number;
  readonly height: number;
  readonly matrix: GeoTransform['matrix'];
  /** For `findCrs`. */
  readonly crs: string;
  /** What the file says that its heights count from. */
  readonly vertical: VerticalCrs | undefined;
  readonly noData: number | undefined;
  /** Heights are stored × scale + offset. */
  readonly scale?: number;
  readonly offset?: number;
}

export interface CellWindow {
  readonly column: number;
  readonly row: number;
  readonly width: number;
  readonly height: number;
}

/** Reads cells of a sheet. */
export interface CellReader {
  /** Heights as given; NaN where there is no data. The window is within the sheet. @throws BytesError */
  read(window: CellWindow): Promise<Float32Array>;
  close(): Promise<void>;
}
