type Place = readonly [lon: number, lat: number];

interface Range {
  readonly startX: number;
  readonly startY: number;
  readonly endX: number;
  readonly endY: number;
}

interface LayerJson {
  readonly maxzoom?: number;
  readonly version?: string;
  readonly tiles?: readonly string[];
  readonly available?: readonly (readonly Range[])[];
}

/** The height of the mesh that a globe shows at a place, in metres above the ellipsoid; undefined where it has no tile. */
export async function terrainHeight(
  uri: string,
  [lon, lat]: Place,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const options = signal ? { signal } : {};
  const layer = await fetch(`${uri}/layer.json`, options);
  if (!layer.ok) throw new Error(`${layer.status}`);
  const { maxzoom = 0, version = '', tiles = [], available } = (await layer.json()) as LayerJson;
  for (let z = maxzoom; z >= 0; z--) {
    const side = 180 / 2 ** z;
    const [x, y] = [
      Math.min((lon + 180) / side, 2 ** (z + 1) - 1e-9),
      Math.min((lat + 90) / side, 2 ** z - 1e-9),
    ];
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const isListed = ({ startX, startY, endX, endY }: Range) =>
      column >= startX && column <= endX && row >= startY && row <= endY;
    if (available && !available[z]?.some(isListed)) continue;
    const path = (tiles[0] ?? '{z}/{x}/{y}.terrain')
      .replace('{z}', String(z))
      .replace('{x}', String(column))
      .replace('{y}', String(row))
      .replace('{version}', version);
    const tile = await fetch(`${uri}/${path}`, options);
    if (tile.ok) return heightInTile(await tile.arrayBuffer(), x - column, y - row);
  }
  return undefined;
}

const range = 32_767;
const headerBytes = 88;

/** @param u, v from 0 in the west and south of the tile to 1 */
export function heightInTile(tile: ArrayBuffer, u: number, v: number): number | undefined {
  const view = new DataView(tile);
  const [lowest, highest] = [view.getFloat32(24, true), view.getFloat32(28, true)];
  const count = view.getUint32(headerBytes, true);
  const [us, vs, heights] = [0, 1, 2].map((part) =>
    decode(view, headerBytes + 4 + part * count * 2, count),
  ) as [Uint16Array, Uint16Array, Uint16Array];
  const indexBytes = count > 65_536 ? 4 : 2;
  let at = Math.ceil((headerBytes + 4 + count * 6) / indexBytes) * indexBytes;
  const corners = view.getUint32(at, true) * 3;
  at += 4;
  const [x, y] = [u * range, v * range];
  const triangle: number[] = [];
  for (let i = 0, mark = 0; i < corners; i++, at += indexBytes) {
    const code = indexBytes === 4 ? view.getUint32(at, true) : view.getUint16(at, true);
    triangle[i % 3] = mark - code;
    if (code === 0) mark++;
    if (i % 3 < 2) continue;
    const shares = sharesOf(triangle.map((vertex) => [us[vertex]! - x, vs[vertex]! - y] as const));
    if (!shares) continue;
    const height = triangle.reduce((sum, vertex, corner) => sum + heights[vertex]! * shares[corner]!, 0);
    return lowest + (height / range) * (highest - lowest);
  }
  return undefined;
}

/** Zigzag-coded differences. */
function decode(view: DataView, start: number, count: number): Uint16Array {
  const values = new Uint16Array(count);
  for (let i = 0, value = 0; i < count; i++) {
    const coded = view.getUint16(start + i * 2, true);
    value += (coded >> 1) ^ -(coded & 1);
    values[i] = value;
  }
  return values;
}

/** Barycentric coordinates of the origin; undefined outside of the triangle. */
function sharesOf(corners: readonly (readonly [number, number])[]): readonly number[] | undefined {
  const [[ax, ay], [bx, by], [cx, cy]] = corners as [Place, Place, Place];
  const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const shares = [(bx * cy - by * cx) / area, (cx * ay - cy * ax) / area, (ax * by - ay * bx) / area];
  return shares.every((share) => share >= -1e-9) ? shares : undefined;
}

/** Metres of the sea above the ellipsoid over the extent of a datasource, as the job has stored them. */
export interface Undulations {
  readonly columns: number;
  readonly rows: number;
  /** Row by row from the north. */
  readonly values: readonly number[];
}

/** Bilinear; undefined outside of the extent. */
export function undulationAt(
  { columns, rows, values }: Undulations,
  [west, south, east, north]: readonly [number, number, number, number],
  [lon, lat]: Place,
): number | undefined {
  const x = ((lon - west) / (east - west)) * (columns - 1);
  const y = ((north - lat) / (north - south)) * (rows - 1);
  if (!(x >= 0 && y >= 0 && x <= columns - 1 && y <= rows - 1)) return undefined;
  const [left, top] = [Math.min(Math.floor(x), columns - 2), Math.min(Math.floor(y), rows - 2)];
  const at = top * columns + left;
  const along = (from: number) => values[from]! + (values[from + 1]! - values[from]!) * (x - left);
  return along(at) + (along(at + columns) - along(at)) * (y - top);
}
