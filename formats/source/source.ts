import type { FeaturePlace, VisitFeature } from '../feature/feature.ts';

/** A file on the local disk, unpacked. */
export interface SourceFile {
  /** Absolute. */
  readonly path: string;
  /** The name people know it by, used in messages: of a member of an archive `roads.zip/roads.shp`. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** What the user says of its character set; a label of TextDecoder. */
  readonly encoding?: string;
  /** Files that belong to it, by their ending in lower case: of a shapefile `dbf`, `shx`, `prj`, `cpg`. Paths. */
  readonly related: Readonly<Record<string, string>>;
}

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'date' | 'json';

export interface SourceLayer {
  /** Undefined where the format has no name for it: then it is called after the file. */
  readonly name: string | undefined;
  /** As formats/crs understands it: an authority's code, WKT, a URN; undefined where the file does not say. */
  readonly crs: string | undefined;
  /** Undefined where only reading all of it would tell. */
  readonly featureCount: number | undefined;
  /** Undefined where the format has no schema. */
  readonly fields: readonly { readonly name: string; readonly type: FieldType }[] | undefined;
  /** West, south, east, north in the layer's CRS, where the file says so. */
  readonly bbox: readonly [number, number, number, number] | undefined;
  /** In the order of the file: all of them together are all features. Each can be read in another thread. */
  readonly parts: readonly SourcePart[];
}

/** A stretch of a layer. Plain data, as it is handed to other threads. */
export interface SourcePart {
  /** The name of the format that can read it. */
  readonly format: string;
  readonly file: SourceFile;
  /** In bytes, roughly: its share of the work. */
  readonly weight: number;
  /** What the format needs to find it. */
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

/** What has been recognised, and how its reading can be divided. */
export interface Source {
  readonly format: string;
  readonly file: SourceFile;
  readonly layers: readonly SourceLayer[];
  /** What is odd or missing, though it can be read: a shapefile without its .prj. */
  readonly warnings: readonly SourceWarning[];
}

export interface OpenOptions {
  readonly signal: AbortSignal;
  /** Parts should weigh about this much. */
  readonly partBytes: number;
}

export interface ReadPartOptions {
  /** All of a feature must be in memory at once: a longer one is refused. */
  readonly maxFeatureBytes: number;
  /** Called every now and then with the share of the part that has been read, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /** The CRS that the part names for itself, when only reading it tells; late: features of the file came before it. */
  readonly onCrs?: (crs: string, isLate: boolean) => void;
}

/** One kind of file. `formats/open/formats.ts` lists them. */
export interface SourceFormat {
  /** `geopackage` */
  readonly name: string;
  /** `GeoPackage` */
  readonly title: string;
  /**
   * Reads what is needed to know its layers and to divide it, by ranges; never all of it, unless there is no other way.
   * @throws SourceError
   */
  open(file: SourceFile, options: OpenOptions): Promise<Source>;
  /** @throws SourceError @returns the number of features, those with a problem included */
  read(part: SourcePart, visit: VisitFeature, options: ReadPartOptions): Promise<number>;
}

/**
 * Why a file cannot be read. `brokenFile` is damaged or lies about itself, `truncatedFile` ends too early,
 * `featureTooLarge` cannot be held in memory, `unsupported` is valid but beyond us, `notRecognised` is no format we
 * know, `unknownEncoding` names a character set nobody knows, `brokenGzip`, `brokenZip` and `refusedZip` are
 * archives that are damaged, or that would do harm. `brokenJson` and `notGeoJson` say it of GeoJSON, `brokenXml` of XML.
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

/** The message says what is wrong and, where one can do something, what to do; the file's name is put before it. */
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
