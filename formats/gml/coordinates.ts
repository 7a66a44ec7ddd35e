import { clearHeights } from '../feature/position-heights.ts';
import { pushHeight, pushPosition, type GeometryBuffer } from '../feature/geometry-buffer.ts';
import { readPositions, readTuples, toNumber, type NumberCursor } from '../xml/read-numbers.ts';

/** The notation of coordinates, as given by the attributes of an element. */
export interface CoordinatesStyle {
  /** Dimension of `posList` and `pos`, their own or inherited; undefined if not given. */
  readonly dimension: number | undefined;
  /** Number of positions of a `posList`. */
  readonly count: number | undefined;
  /** For `coordinates`: decimal point, separators of numbers and of positions; undefined if all are the defaults. */
  readonly separators: { readonly decimal: string; readonly cs: string; readonly ts: string } | undefined;
}

/** Appends the positions in the text of `pos`, `posList`, `coordinates` and the like. @returns the problem, if any */
export function readCoordinates(
  element: string,
  cursor: NumberCursor,
  style: CoordinatesStyle,
  geometry: GeometryBuffer,
): string | undefined {
  if (element === 'coordinates') {
    return style.separators === undefined
      ? readTuples(cursor, geometry)
      : readUnusual(cursor, style.separators, geometry);
  }
  const from = cursor.at;
  if (element === 'posList') {
    const numbers = style.count === undefined ? 0 : countNumbers(cursor);
    const dimension = style.count === undefined ? style.dimension : numbers / style.count;
    if (dimension !== undefined && !(dimension >= 2 && dimension <= 4 && Number.isInteger(dimension)))
      return `its positions would have ${dimension} numbers each`;
    const before = geometry.positionCount;
    const problem = readPositions(cursor, dimension ?? 2, geometry);
    if (problem === undefined || dimension !== undefined || cursor.at < cursor.end) return problem;
    // heights were not announced, but an odd number of values implies them
    geometry.positionCount = before;
    if (geometry.heights !== undefined) clearHeights(geometry.heights, before);
    cursor.at = from;
    return readPositions(cursor, 3, geometry);
  }
  const numbers = countNumbers(cursor);
  if (numbers < 2 || numbers > 4) return `a position has ${numbers} numbers`;
  return readPositions(cursor, numbers, geometry);
}

function countNumbers({ bytes, at, end }: NumberCursor): number {
  let numbers = 0;
  let inSpace = true;
  for (let i = at; i < end; i++) {
    const space = bytes[i]! <= 32;
    if (inSpace && !space) numbers++;
    inSpace = space;
  }
  return numbers;
}

/** GML 2.1.2, 5.3: any characters may separate. */
function readUnusual(
  { bytes, at, end }: NumberCursor,
  { decimal, cs, ts }: NonNullable<CoordinatesStyle['separators']>,
  geometry: GeometryBuffer,
): string | undefined {
  const split = (text: string, separator: string): string[] =>
    separator.trim() === '' ? text.trim().split(/\s+/) : text.split(separator);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString('utf8');
  for (const tuple of split(text.trim(), ts)) {
    const numbers = split(tuple.trim(), cs).map((word) => toNumber(word.trim().replace(decimal, '.')));
    if (numbers.length < 2 || !numbers.every(Number.isFinite))
      return `${JSON.stringify(tuple.slice(0, 40))} is not a position`;
    pushPosition(geometry, numbers[0]!, numbers[1]!);
    pushHeight(geometry, numbers[2] ?? NaN);
  }
  return undefined;
}
