import { keysRecord, writeLas, type WrittenPoint } from '@platen/formats/las/testing';

const utm = keysRecord([
  [1024, 0, 1, 1],
  [3072, 0, 1, 25832],
  [4096, 0, 1, 7837],
]);

/** Metres between points of the ground. */
const step = 0.2;
/** Metres from end to end. */
const side = 60;

type Kind = 'ground' | 'low' | 'tree' | 'roof' | 'wall' | 'water';
const classOf = { ground: 2, low: 3, tree: 5, roof: 6, wall: 6, water: 9 } as const;
const colourOf = {
  ground: [134, 142, 96],
  low: [104, 140, 70],
  tree: [48, 96, 44],
  roof: [158, 74, 52],
  wall: [214, 202, 180],
  water: [62, 98, 128],
} as const;
const intensityOf = { ground: 900, low: 1100, tree: 700, roof: 2000, wall: 2600, water: 60 } as const;

/** The same for every run. */
function noise(i: number): number {
  const value = Math.sin(i * 12.9898) * 43_758.5453;
  return value - Math.floor(value);
}

/**
 * The scan of a meadow with two houses, trees and a pond, as LAS: with colours, classes, intensities, returns and noise.
 * @param north how many metres north of the first it lies
 */
export function writeScan(north = 0): Buffer {
  const points: WrittenPoint[] = [];
  const returns: number[] = [];
  const add = (kind: Kind, [x, y, z]: readonly number[], returnNumber = 1): void => {
    const i = points.length;
    const light = 0.82 + noise(i) * 0.36;
    const colour = colourOf[kind].map((value) => Math.min(65_535, Math.round(value * light * 257)));
    points.push({
      x: 690_000 + x!,
      y: 5_540_000 + north + y!,
      z: 300 + z!,
      intensity: Math.round(intensityOf[kind] * (0.8 + noise(i + 7) * 0.4)),
      classification: classOf[kind],
      colour: [colour[0]!, colour[1]!, colour[2]!],
    });
    returns.push(returnNumber);
  };
  const count = side / step;
  for (let i = 0; i < count * count; i++) {
    const [x, y] = [(i % count) * step, Math.floor(i / count) * step];
    const hill = Math.sin(x / 14) + Math.cos(y / 17);
    const isWater = (x - 30) ** 2 + (y - 14) ** 2 < 64;
    if (isWater) add('water', [x, y, -1.2]);
    else add(noise(i + 3) < 0.12 ? 'low' : 'ground', [x, y, hill + (noise(i + 3) < 0.12 ? 0.4 : 0)]);
  }
  addHouse(add, { at: [10, 30], size: [14, 10], eaves: 6 });
  addHouse(add, { at: [34, 36], size: [10, 8], eaves: 4.5 });
  for (const [x, y] of [
    [8, 12],
    [16, 10],
    [48, 16],
    [50, 50],
    [52, 36],
  ] as const)
    addTree(add, x, y);
  points.push({ ...points[0]!, x: 690_030, y: 5_540_030 + north, z: 322, classification: 7 });
  const bytes = writeLas({ pointFormat: 2, points, records: [utm] });
  const [start, length] = [bytes.readUInt32LE(96), bytes.readUInt16LE(105)];
  // the return number in three bits, of three returns (LAS 1.2, table 7)
  for (const [i, number] of returns.entries()) bytes[start + i * length + 14] = number | (3 << 3);
  return bytes;
}

type Add = (kind: Kind, place: readonly number[], returnNumber?: number) => void;

interface House {
  readonly at: readonly [number, number];
  readonly size: readonly [number, number];
  readonly eaves: number;
}

function addHouse(add: Add, { at: [left, low], size: [width, depth], eaves }: House): void {
  for (let x = 0; x <= width; x += step)
    for (let y = 0; y <= depth; y += step)
      add('roof', [left + x, low + y, eaves + Math.min(y, depth - y) * 0.8]);
  for (let z = 0; z < eaves; z += step) {
    for (let x = 0; x <= width; x += step) for (const y of [0, depth]) add('wall', [left + x, low + y, z]);
    for (let y = 0; y <= depth; y += step) for (const x of [0, width]) add('wall', [left + x, low + y, z]);
  }
}

function addTree(add: Add, x: number, y: number): void {
  for (let i = 0; i < 2500; i++) {
    const [turn, rise, reach] = [
      noise(i + x) * 2 * Math.PI,
      Math.acos(2 * noise(i + y + 1) - 1),
      0.6 + noise(i) * 0.4,
    ];
    const radius = 3 * reach;
    const place = [
      x + radius * Math.sin(rise) * Math.cos(turn),
      y + radius * Math.sin(rise) * Math.sin(turn),
      6 + 1.4 * radius * Math.cos(rise),
    ];
    add('tree', place, 1 + (i % 3));
  }
}
