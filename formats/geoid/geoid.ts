import { blendBorder } from './blend-border.ts';
import { interpolate, type GeoidGrid } from './geoid-grid.ts';

/**
 * Turns heights above sea level into heights above the ellipsoid and back: those of one grid, and of another where that
 * one has no values, with 20 km between them in which the one goes over into the other.
 */
export class Geoid {
  readonly #grid: GeoidGrid;
  readonly #other: GeoidGrid | undefined;
  /** Made when the first point outside the grid comes: most data have none. */
  #border: GeoidGrid | 'too large' | undefined;

  /** @param other covers the world */
  constructor(grid: GeoidGrid, other?: GeoidGrid) {
    this.#grid = grid;
    this.#other = other;
  }

  /** Metres of the zero level above the ellipsoid; NaN for no place on Earth. */
  undulation(lon: number, lat: number): number {
    const metres = interpolate(this.#grid, lon, lat);
    return Number.isNaN(metres) ? this.#outside(lon, lat) : metres;
  }

  /**
   * Turns heights above sea level into heights above the ellipsoid, in place.
   * @param points longitude and latitude in degrees, and height in metres, of each point
   * @returns how many of them are outside the grid
   */
  toEllipsoid(points: Float64Array, count: number): number {
    return this.#add(points, count, 1);
  }

  /** The other way. */
  fromEllipsoid(points: Float64Array, count: number): number {
    return this.#add(points, count, -1);
  }

  /** The same arithmetic as `interpolate`, without a call and a division for each point. */
  #add(points: Float64Array, count: number, sign: 1 | -1): number {
    const { columns, west, north, values } = this.#grid;
    const perLon = 1 / this.#grid.lonStep;
    const perLat = 1 / this.#grid.latStep;
    const turn = 360 * perLon;
    const lastColumn = columns - 1;
    const lastRow = this.#grid.rows - 1;
    let outside = 0;
    for (let i = 0; i < 3 * count; i += 3) {
      let x = (points[i]! - west) * perLon;
      if (x < 0 || x >= turn) x -= turn * Math.floor(x / turn);
      const y = (north - points[i + 1]!) * perLat;
      let metres = NaN;
      if (x <= lastColumn && y >= 0 && y <= lastRow) {
        let column = x | 0;
        if (column === lastColumn) column--;
        let row = y | 0;
        if (row === lastRow) row--;
        const at = row * columns + column;
        const dx = x - column;
        const upper = values[at]! + (values[at + 1]! - values[at]!) * dx;
        const below = at + columns;
        const lower = values[below]! + (values[below + 1]! - values[below]!) * dx;
        metres = upper + (lower - upper) * (y - row);
      }
      // NaN is the only value that differs from itself
      if (metres !== metres) {
        outside++;
        metres = this.#outside(points[i]!, points[i + 1]!);
      }
      points[i + 2]! += sign * metres;
    }
    return outside;
  }

  #outside(lon: number, lat: number): number {
    const isPlace = Number.isFinite(lon) && Math.abs(lat) <= 90; // else nothing is worth making a border
    if (this.#other === undefined || !isPlace) return NaN;
    this.#border ??= blendBorder(this.#grid, this.#other) ?? 'too large';
    if (this.#border === 'too large') return interpolate(this.#other, lon, lat);
    const blended = interpolate(this.#border, lon, lat);
    return Number.isNaN(blended) ? interpolate(this.#other, lon, lat) : blended;
  }
}
