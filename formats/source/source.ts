import type { FeaturePlace, VisitFeature } from '../feature/feature.ts';

/** A file on the local disk, unpacked. */
export interface SourceFile {
  /** Absolute. */
  readonly path: string;
  /** The name people know it by, used in messages: of a member of an archive `roads.zip/roads.shp`. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** The character set selected by the user; a label of TextDecoder. */
  readonly encoding?: string;
  /** Files that belong to it, by their ending in lower case: of a shapefile `dbf`, `shx`, `prj`, `cpg`. Paths. */
  readonly related: Readonly<Record<string, string>>;
}

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'date' | 'json';

export interface SourceLayer {
  /** Undefined where the format has no name for it: then it is called after the file. */
  readonly name: string | undefined;
  /** A text for formats/crs: an authority's code, WKT or a URN; undefined if the file does not name one. */
  readonly crs: string | undefined;
  /** undefined if it is only known after reading the whole file. */
  readonly featureCount: number | undefined;
  /** Undefined where the format has no schema. */
  readonly fields: readonly { readonly name: string; readonly type: FieldType }[] | undefined;
  /** West, south, east, north in the layer's CRS, where the file says so. */
  readonly bbox: readonly [number, number, number, number] | undefined;
  /** The parts in the order of the file; together they hold all features. Each can be read in another thread. */
  readonly parts: readonly SourcePart[];
}

/** A range of a layer. Plain data, because it is handed to other threads. */
export interface SourcePart {
  /** The name of the format that can read it. */
  readonly format: string;
  readonly file: SourceFile;
  /** Share of the work, approximately in bytes. */
  readonly weight: number;
  /** Private to the format. */
  readonly range: unknown;
}

export interface SourceWarning {
  readonly code:
    | 'brokenIndex'
    | 'furtherGeometries'
    | 'missingAttributes'
    | 'missingCrs'
    | 'missingTable'
    | 'uncommittedChanges'
    | `unsupported${'GroundOverlay' | 'NetworkLink' | 'PhotoOverlay' | 'ScreenOverlay'}`;
  readonly message: string;
}

/** A recognised file and its parts. */
export interface Source {
  readonly format: string;
  readonly file: SourceFile;
  readonly layers: readonly SourceLayer[];
  /** Oddities that do not prevent reading: a shapefile without its .prj. */
  readonly warnings: readonly SourceWarning[];
}

export interface OpenOptions {
  readonly signal: AbortSignal;
  /** Parts should weigh about this much. */
  readonly partBytes: number;
}

export interface ReadPartOptions {
  /** A whole feature must fit into memory; longer ones are refused. */
  readonly maxFeatureBytes: number;
  /** Keeps Z and M of positions, in `geometry.heights`; formats without them leave them NaN. */
  readonly keepsHeights?: boolean;
  /** Called every now and then with the share of the part that has been read, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /** Reports the CRS that a part names when only reading it reveals it; late if features came before it. */
  readonly onCrs?: (crs: string, isLate: boolean) => void;
}

/** One kind of file. `formats/open/formats.ts` lists them. */
export interface SourceFormat {
  /** `geopackage` */
  readonly name: string;
  /** `GeoPackage` */
  readonly title: string;
  /**
   * Reads ranges only, as far as layers and parts require; the whole file only if there is no other way.
   * @throws SourceError
   */
  open(file: SourceFile, options: OpenOptions): Promise<Source>;
  /** @throws SourceError @returns the number of features, those with a problem included */
  read(part: SourcePart, visit: VisitFeature, options: ReadPartOptions): Promise<number>;
}

/**
 * Why a file cannot be read: `brokenFile` is damaged, `truncatedFile` ends too early, `featureTooLarge` does not fit
 * into memory, `unsupported` is valid but not supported, `notRecognised` is an unknown format, `unknownEncoding` names
 * an unknown character set; `brokenGzip`, `brokenZip` and `refusedZip` are damaged or harmful archives. `brokenJson`
 * and `notGeoJson` belong to GeoJSON, `brokenXml` to XML.
 */
export type SourceFault =
  | 'brokenFile'
  | 'truncatedFile'
  | 'featureTooLarge'
  | 'unsupported'
  | 'notRecognised'
  | 'unknownEncoding'
  | 'brokenGzip'
  | 'brokenZip'
  | 'refusedZip'
  | 'brokenJson'
  | 'notGeoJson'
  | 'brokenXml';

/** The message says what is wrong and what to do; callers prepend the name of the file. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly code: SourceFault;
  readonly place: Partial<FeaturePlace>;

  constructor(code: SourceFault, message: string, place: Partial<FeaturePlace> = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.place = place;
  }
}
