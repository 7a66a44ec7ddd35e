import type { FileRange } from '../../kit/scratch-file.ts';
import type { Region } from '../../models/region.ts';
import type { Shape } from './shape.ts';

/** What planning needs to know of each shape of a scratch file; a few numbers each, as a table. Plain data. */
export interface ShapeTable {
  /** The scratch file as a range, so that a checkpoint finds it in another folder. */
  readonly file: FileRange;
  /** Rows of `columns` numbers. */
  readonly rows: Float64Array;
}

/** What planning knows of a shape. */
export interface IndexedShape {
  readonly lon: number;
  readonly lat: number;
  readonly region: Region;
  readonly triangles: number;
  /** Square metres with an image. */
  readonly texturedMetres: number;
  readonly range: FileRange;
  /** 48 bits of hashes: of the id, and of all that is stored. */
  readonly idHash: number;
  readonly contentHash: number;
}

const columns = 14;

/** Collects the rows of a table. */
export function createShapeTable() {
  let rows = new Float64Array(256 * columns);
  let count = 0;
  return {
    get count() {
      return count;
    },
    add({ lon, lat, region, triangles, texturedMetres, range, idHash, contentHash }: IndexedShape): void {
      if (count * columns === rows.length) {
        const larger = new Float64Array(rows.length * 2);
        larger.set(rows);
        rows = larger;
      }
      const row = [
        lon,
        lat,
        ...region,
        triangles,
        texturedMetres,
        range.start,
        range.end,
        idHash,
        contentHash,
      ];
      rows.set(row, count++ * columns);
    },
    finish: (file: FileRange): ShapeTable => ({ file, rows: rows.slice(0, count * columns) }),
  };
}

export const countOf = ({ rows }: ShapeTable): number => rows.length / columns;

/** A row of a table. */
export function shapeAt({ file, rows }: ShapeTable, row: number): IndexedShape {
  const at = row * columns;
  const number = (column: number): number => rows[at + column]!;
  return {
    lon: number(0),
    lat: number(1),
    region: [number(2), number(3), number(4), number(5), number(6), number(7)],
    triangles: number(8),
    texturedMetres: number(9),
    range: { path: file.path, start: number(10), end: number(11) },
    idHash: number(12),
    contentHash: number(13),
  };
}

/** Square metres of the faces of a shape that have an image. */
export function texturedMetresOf(shape: Shape): number {
  const { mesh, hasImages } = shape.representations[0]!;
  if (mesh === undefined || !hasImages) return 0;
  const { looks } = shape;
  const { positions, indices } = mesh;
  let sum = 0;
  let index = 0;
  for (const [face, end] of mesh.indexEnds.entries()) {
    const look = looks[mesh.looks[face]!];
    const hasImage = look !== undefined && 'image' in look;
    for (; index < end; index += 3) {
      if (!hasImage) continue;
      const [a, b, c] = [indices[index]! * 3, indices[index + 1]! * 3, indices[index + 2]! * 3];
      const edge = (to: number, axis: number): number => positions[to + axis]! - positions[a + axis]!;
      const cross = (i: number, j: number): number => edge(b, i) * edge(c, j) - edge(b, j) * edge(c, i);
      sum += Math.hypot(cross(1, 2), cross(2, 0), cross(0, 1)) / 2;
    }
  }
  return sum;
}

export const trianglesOf = ({ representations }: Shape): number => representations[0]!.triangles;
