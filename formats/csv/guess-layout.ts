import { createGeometryBuffer } from '../feature/geometry-buffer.ts';
import { SourceError, type Source } from '../source/source.ts';
import { openDecoder } from '../text/open-decoder.ts';
import { createCellReader, widenType, type CellReader, type CellType } from './cell-reader.ts';
import { coordinateColumns, type CoordinateColumns } from './coordinate-columns.ts';
import { eachRecord, guessDelimiter, guessPoint, type Head } from './guess-delimiter.ts';
import { parsePair } from './parse-angle.ts';
import { looksLikeGeometry, readCoordinates, sridOf } from './read-coordinates.ts';
import { createCells } from './scan-record.ts';

/** The layout of a text table. Plain data, because parts carry it. */
export interface CsvLayout {
  /** A label for openDecoder. */
  readonly encoding: string | undefined;
  /** A byte, as is `point`. */
  readonly delimiter: number;
  /** Between the whole and the fraction of numbers. */
  readonly point: number;
  readonly columns: readonly { readonly name: string; readonly type: CellType }[];
  readonly coordinates: CoordinateColumns;
}

export interface GuessedLayout {
  readonly layout: CsvLayout;
  /** Offset in the head behind the header row. */
  readonly firstRow: number;
  readonly crs: string | undefined;
  readonly warnings: Source['warnings'];
}

/** The records of the head, parsed again for each visit. */
interface Sample {
  readonly reader: CellReader;
  readonly starts: readonly number[];
  /** Cells of the first record. */
  readonly width: number;
  /** Offset behind the first record. */
  readonly firstEnd: number;
  /** Visits records from `from` on until `visit` returns false. */
  each(from: number, visit: () => boolean): void;
}

const comma = 44;
const maxColumns = 10_000;

/** @throws SourceError if it is not a table, or has no coordinates */
export function guessLayout(head: Head, encoding: string | undefined): GuessedLayout {
  const separator = /^sep=([^\r\n])\r?\n/i.exec(head.bytes.toString('latin1', head.start, head.start + 8));
  const body = { ...head, start: head.start + (separator?.[0].length ?? 0) };
  const delimiter = separator?.[1]?.charCodeAt(0) ?? guessDelimiter(body) ?? comma;
  const point = guessPoint(body, delimiter);
  const sample = openSample(body, { encoding, delimiter, point });
  if (sample.width > maxColumns) {
    throw new SourceError(
      'unsupported',
      `it has ${sample.width} columns, more than the maximum of ${maxColumns}: remove some`,
    );
  }
  const { names, header } = readNames(sample);
  const coordinates = coordinateColumns(names, {
    isWkt: columnTest(sample, header, looksLikeGeometry),
    isTogether: columnTest(sample, header, (text) => parsePair(text) !== undefined),
  });
  if (coordinates === undefined) throw noCoordinates(names, header > 0);
  const types = guessTypes(sample, header, names.length);
  return {
    layout: {
      encoding,
      delimiter,
      point,
      columns: names.map((name, i) => ({ name, type: types[i]! })),
      coordinates,
    },
    firstRow: header === 1 ? sample.firstEnd : body.start,
    ...guessCrs(sample, header, coordinates, names),
  };
}

function openSample(
  head: Head,
  { encoding, delimiter, point }: Pick<CsvLayout, 'encoding' | 'delimiter' | 'point'>,
): Sample {
  const cells = createCells();
  const reader = createCellReader(cells, openDecoder(encoding), point);
  const starts: number[] = [];
  let width = 0;
  let firstEnd = head.start;
  eachRecord(head, delimiter, cells, (start, end) => {
    if (starts.push(start) === 1) {
      width = cells.count;
      firstEnd = end;
    }
    return true;
  });
  return {
    reader,
    starts,
    width,
    firstEnd,
    each(from, visit) {
      if (from >= starts.length) return;
      eachRecord({ ...head, start: starts[from]! }, delimiter, cells, (start, end) => {
        reader.open(head.bytes, start, end);
        return visit();
      });
    },
  };
}

/** A first record in which no cell is a value is the header. @returns how many records it takes */
function readNames(sample: Sample): { names: string[]; header: 0 | 1 } {
  let names: string[] = [];
  let values = false;
  sample.each(0, () => {
    names = Array.from({ length: sample.width }, (_, column) => sample.reader.text(column).trim());
    values = names.some((name, i) => !Number.isNaN(sample.reader.number(i)) || looksLikeGeometry(name));
    return false;
  });
  // Years may be names as well, next to known names.
  const never = { isWkt: () => false, isTogether: () => false };
  if (values && coordinateColumns(names, never) === undefined)
    return { names: names.map((_, i) => `column_${i + 1}`), header: 0 };
  const counts = new Map<string, number>();
  return { names: names.map((name, i) => distinct(name || `column_${i + 1}`, counts)), header: 1 };
}

/** a, a_2, a_3 … @param counts how often each name was given */
function distinct(name: string, counts: Map<string, number>): string {
  let free = name;
  for (let count = counts.get(name) ?? 0; counts.has(free); count++) {
    free = `${name}_${count + 1}`;
    counts.set(name, count + 1);
  }
  counts.set(free, 1);
  return free;
}

const maxLooks = 50;

/** Tests whether most values of a column fit. */
function columnTest(
  sample: Sample,
  header: number,
  fits: (text: string) => boolean,
): (column: number) => boolean {
  const texts = new Uint8Array(sample.width);
  const fitting = new Uint8Array(sample.width);
  let rows = 0;
  sample.each(header, () => {
    for (let column = 0; column < sample.width; column++) {
      const text = sample.reader.text(column);
      if (text.trim() === '') continue;
      texts[column]!++;
      if (fits(text)) fitting[column]!++;
    }
    return ++rows < maxLooks;
  });
  return (column) => fitting[column]! > 0 && fitting[column]! * 2 >= texts[column]!;
}

function guessTypes(sample: Sample, header: number, width: number): CellType[] {
  const types: (CellType | undefined)[] = Array.from({ length: width });
  sample.each(header, () => {
    for (let column = 0; column < width; column++) {
      types[column] = widenType(sample.reader, column, types[column]);
    }
    return true;
  });
  return types.map((type) => type ?? 'string');
}

const maxSampled = 1000;

/** Degrees if all coordinates could be degrees, otherwise unknown. */
function guessCrs(
  sample: Sample,
  header: number,
  coordinates: CoordinateColumns,
  names: readonly string[],
): Pick<GuessedLayout, 'crs' | 'warnings'> {
  const geometry = createGeometryBuffer();
  let srid: number | undefined;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  let rows = 0;
  sample.each(header, () => {
    readCoordinates(sample.reader, coordinates, names, geometry);
    if (coordinates.kind === 'wkt') srid ??= sridOf(sample.reader.text(coordinates.column));
    for (let i = 0; i < geometry.positionCount; i++) {
      const x = geometry.coordinates[i * 2]!;
      const y = geometry.coordinates[i * 2 + 1]!;
      [west, south, east, north] = [
        Math.min(west, x),
        Math.min(south, y),
        Math.max(east, x),
        Math.max(north, y),
      ];
    }
    return ++rows < maxSampled;
  });
  if (srid !== undefined && srid !== 0) return { crs: `EPSG:${srid}`, warnings: [] };
  if (west >= -180 && east <= 180 && south >= -90 && north <= 90) return { crs: 'EPSG:4326', warnings: [] };
  const message =
    `its coordinates, ${namesOf(coordinates, names)}, are not degrees (${west} to ${east} and ${south} to ${north}): ` +
    `select their coordinate system`;
  return { crs: undefined, warnings: [{ code: 'missingCrs', message }] };
}

function namesOf(coordinates: CoordinateColumns, names: readonly string[]): string {
  if (coordinates.kind === 'pair') return `columns "${names[coordinates.x]}" and "${names[coordinates.y]}"`;
  return `column "${names[coordinates.column]}"`;
}

const maxNamed = 12;

function noCoordinates(names: readonly string[], hasHeader: boolean): SourceError {
  const expected = 'two columns such as lon and lat or x and y, or one called wkt';
  if (!hasHeader) {
    return new SourceError(
      'unsupported',
      `its first line has no column names: add them there, including ${expected}`,
    );
  }
  const listed = names
    .slice(0, maxNamed)
    .map((name) => `"${name.slice(0, maxNamed * 4)}"`)
    .join(', ');
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return new SourceError(
    'unsupported',
    `none of its columns ${listed}${more} contains coordinates: add ${expected}`,
  );
}
