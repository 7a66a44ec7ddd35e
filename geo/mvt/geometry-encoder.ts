import { clipLine } from '../clip/clip-line.ts';
import { clipRing } from '../clip/clip-ring.ts';
import { coordinatesAt, lineType, pointType, shapeHead, zoomsAt, type ShapeType } from '../shape/shape.ts';
import type { Words } from '../shape/words.ts';
import { worldBits } from '../tile/world-grid.ts';
import { createByteWriter, reserveBytes, writeVarint, writeZigzag, type ByteWriter } from './byte-writer.ts';
import { measureRing, tidyRing } from './ring.ts';

export interface GeometryOptions {
  /** A power of two. */
  readonly extent: number;
  /** In tile units. */
  readonly buffer: number;
  /** Here nothing is simplified and nothing left out. */
  readonly maxZoom: number;
  /** Below the highest zoom, lines shorter than this many tile units are dust. */
  readonly dustLength: number;
  /** Below the highest zoom, rings of less than this many square tile units are dust. */
  readonly dustArea: number;
}

export interface EncodedGeometry {
  /** MVT 2.1, 4.3: what draws it, beginning at 0, 0. */
  readonly commands: ByteWriter;
  /** Where the drawing ends. */
  readonly penX: number;
  readonly penY: number;
}

/** Its commands are those of the last shape that was encoded. */
export interface GeometryEncoder extends EncodedGeometry {
  begin(z: number, x: number, y: number): void;
  /** False if nothing of the shape is in the tile. */
  encode(store: Words, shape: number, type: ShapeType): boolean;
}

const moveTo = 1;
const lineTo = 2;
const closePath = 7;

/**
 * Turns shapes into the geometry of one tile: the vertices that the zoom needs, rounded to the grid of the
 * whole zoom (so that neighbours share it), and cut at the tile's edge plus buffer.
 *
 * Dust: what is too small to see is left out, but its size is summed up in each tile, and whenever the sum is
 * enough for something visible, that much is drawn where the last of it lay; so dense small things keep their
 * weight on the map. At the highest zoom, what would vanish is drawn one unit large instead.
 */
export function createGeometryEncoder(options: GeometryOptions): GeometryEncoder {
  const { extent, buffer, maxZoom } = options;
  const extentBits = Math.log2(extent);
  const low = -buffer;
  const high = extent + buffer;
  const commands = createByteWriter(1 << 16);
  let points: Float64Array = new Float64Array(8192);
  let zoom = 0;
  let shift = 0;
  let half = 0;
  let originX = 0;
  let originY = 0;
  let all = false;
  let penX = 0;
  let penY = 0;
  /** By type: the size left out of this tile so far and not yet made up for. */
  const dust = new Float64Array(4);
  /** A part of a line, held back because its length is written before it. */
  let lineCoordinates = new Int32Array(1024);
  let lineCount = 0;

  const draw = (x: number, y: number): void => {
    writeZigzag(commands, x - penX);
    writeZigzag(commands, y - penY);
    penX = x;
    penY = y;
  };
  const square = (centerX: number, centerY: number, side: number): void => {
    const x = Math.min(Math.max(0, centerX - (side >> 1)), extent - side);
    const y = Math.min(Math.max(0, centerY - (side >> 1)), extent - side);
    writeVarint(commands, moveTo | (1 << 3));
    draw(x, y);
    writeVarint(commands, lineTo | (3 << 3));
    draw(x + side, y);
    draw(x + side, y + side);
    draw(x, y + side);
    writeVarint(commands, closePath | (1 << 3));
  };
  const flushLine = (): void => {
    if (lineCount >= 2) {
      writeVarint(commands, moveTo | (1 << 3));
      draw(lineCoordinates[0]!, lineCoordinates[1]!);
      writeVarint(commands, lineTo | ((lineCount - 1) << 3));
      for (let i = 1; i < lineCount; i++) draw(lineCoordinates[i * 2]!, lineCoordinates[i * 2 + 1]!);
    }
    lineCount = 0;
  };
  const takeLine = (x: number, y: number, begins: boolean): void => {
    if (begins) flushLine();
    const rx = Math.round(x);
    const ry = Math.round(y);
    const at = lineCount * 2;
    if (lineCount > 0 && lineCoordinates[at - 2] === rx && lineCoordinates[at - 1] === ry) return;
    if (at + 2 > lineCoordinates.length) {
      const larger = new Int32Array(at * 2);
      larger.set(lineCoordinates);
      lineCoordinates = larger;
    }
    lineCoordinates[at] = rx;
    lineCoordinates[at + 1] = ry;
    lineCount++;
  };
  /** Copies the vertices this zoom needs, on its grid and without repetitions, into `points`; returns how many. */
  const gather = (
    { words, bytes }: Words,
    from: number,
    zooms: number,
    start: number,
    end: number,
  ): number => {
    if (points.length < (end - start) * 2 + 2) points = new Float64Array((end - start) * 4);
    let count = 0;
    let lastX = 0;
    let lastY = 0;
    for (let i = start; i < end; i++) {
      if (!all && bytes[zooms + i]! > zoom) continue;
      const x = ((words[from + i * 2]! + half) >> shift) - originX;
      const y = ((words[from + i * 2 + 1]! + half) >> shift) - originY;
      if (count > 0 && x === lastX && y === lastY) continue;
      points[count * 2] = lastX = x;
      points[count * 2 + 1] = lastY = y;
      count++;
    }
    return count;
  };
  const within = (count: number): boolean => {
    for (let i = 0; i < count * 2; i++) {
      const value = points[i]!;
      if (value < low || value > high) return false;
    }
    return true;
  };

  const encodePoints = ({ words }: Words, shape: number): void => {
    const from = coordinatesAt(words, shape);
    const total = words[shape + 6]!;
    let count = 0;
    for (let pass = 0; pass < 2; pass++) {
      if (pass === 1) {
        if (count === 0) return;
        writeVarint(commands, moveTo | (count << 3));
      }
      for (let i = 0; i < total; i++) {
        // Rounded down, so that a point is in the tile it lies in and in no other but through the buffer.
        const x = (words[from + i * 2]! >> shift) - originX;
        const y = (words[from + i * 2 + 1]! >> shift) - originY;
        if (x < low || x >= high || y < low || y >= high) continue;
        if (pass === 0) count++;
        else draw(x, y);
      }
    }
  };
  /** Where something too small to draw lies, if it is in this very tile and its weight is due. */
  const settle = (words: Int32Array, vertex: number, type: number, size: number, due: number): boolean => {
    const x = (words[vertex]! >> shift) - originX;
    const y = (words[vertex + 1]! >> shift) - originY;
    if (x < 0 || x >= extent || y < 0 || y >= extent) return false;
    dustX = x;
    dustY = y;
    if (all) return true;
    dust[type]! += size;
    if (dust[type]! < due) return false;
    dust[type]! -= due;
    return true;
  };
  let dustX = 0;
  let dustY = 0;

  const encodeLine = (store: Words, shape: number, ring: number, start: number, end: number): void => {
    const { words, floats } = store;
    const from = coordinatesAt(words, shape);
    const size = floats[shape + shapeHead + ring * 2 + 1]! / 2 ** shift;
    const isDust = !all && size < options.dustLength;
    if (isDust && !settle(words, from + start * 2, lineType, size, options.dustLength)) return;
    const before = commands.length;
    const count = gather(store, from, zoomsAt(words, shape), start, end);
    lineCount = 0;
    if (within(count)) for (let i = 0; i < count; i++) takeLine(points[i * 2]!, points[i * 2 + 1]!, i === 0);
    else clipLine(points, count, low, high, takeLine);
    flushLine();
    const vanished = commands.length === before && size < 1;
    if (!vanished || !(isDust || (all && settle(words, from + start * 2, lineType, size, 0)))) return;
    writeVarint(commands, moveTo | (1 << 3));
    draw(dustX, dustY);
    writeVarint(commands, lineTo | (1 << 3));
    draw(dustX + 1, dustY);
  };
  /** False if an outer ring leaves nothing that holes could be cut from. */
  const encodeRing = (store: Words, shape: number, ring: number, start: number, end: number): boolean => {
    const { words, floats } = store;
    const from = coordinatesAt(words, shape);
    const outer = (words[shape + shapeHead + ring * 2]! & 1) === 1;
    const area = floats[shape + shapeHead + ring * 2 + 1]! / 4 ** shift;
    if (!all && area < options.dustArea) {
      if (outer && settle(words, from + start * 2, 3, area, options.dustArea)) {
        square(dustX, dustY, Math.max(1, Math.round(Math.sqrt(options.dustArea))));
      }
      return false;
    }
    let count = gather(store, from, zoomsAt(words, shape), start, end);
    if (count > 1 && points[0] === points[count * 2 - 2] && points[1] === points[count * 2 - 1]) count--;
    if (!within(count)) {
      ({ ring: points, count } = clipRing(points, count, low, high));
      count = tidyRing(points, count, low, high);
    }
    const measured = count < 3 ? 0 : measureRing(points, count);
    if (measured === 0) {
      if (outer && all && area < 2 && settle(words, from + start * 2, 3, area, 0)) square(dustX, dustY, 1);
      return false;
    }
    const forwards = measured > 0 === outer;
    writeVarint(commands, moveTo | (1 << 3));
    draw(points[0]!, points[1]!);
    writeVarint(commands, lineTo | ((count - 1) << 3));
    for (let i = 1; i < count; i++) {
      const at = (forwards ? i : count - i) * 2;
      draw(points[at]!, points[at + 1]!);
    }
    writeVarint(commands, closePath | (1 << 3));
    return true;
  };

  return {
    commands,
    get penX() {
      return penX;
    },
    get penY() {
      return penY;
    },
    begin(z, x, y) {
      zoom = z;
      shift = worldBits - extentBits - z;
      half = shift === 0 ? 0 : 2 ** (shift - 1);
      originX = x * extent;
      originY = y * extent;
      all = z === maxZoom;
      dust.fill(0);
    },
    encode(store, shape, type) {
      commands.length = 0;
      penX = 0;
      penY = 0;
      reserveBytes(commands, 1024);
      if (type === pointType) encodePoints(store, shape);
      else {
        let start = 0;
        let holes = false;
        for (let ring = 0; ring < store.words[shape + 5]!; ring++) {
          const info = store.words[shape + shapeHead + ring * 2]!;
          if (type === lineType) encodeLine(store, shape, ring, start, info >> 1);
          else if ((info & 1) === 1) holes = encodeRing(store, shape, ring, start, info >> 1);
          else if (holes) encodeRing(store, shape, ring, start, info >> 1);
          start = info >> 1;
        }
      }
      return commands.length > 0;
    },
  };
}
