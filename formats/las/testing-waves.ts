import { keysRecord, writeLas } from './testing.ts';
import { baseLengthOf, layoutOf } from './point-format.ts';

export const wavePoints = 400;
export const waveExtraBytes = 2;

/** The same for every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x9e37_79b9) | 0;
    return (state >>> 8) % sides;
  };
}

/**
 * A LAS with wave packets (formats 4, 5, 9, 10) and two extra bytes: several returns, flags, two scanner channels, and packets that
 * follow each other, repeat, and jump.
 */
export function writeWaves(pointFormat: 4 | 5 | 9 | 10): Buffer {
  const isNew = pointFormat >= 6;
  const points = Array.from({ length: wavePoints }, (_, i) => ({
    x: 690_000 + (i % 20) / 2,
    y: 5_540_000 + Math.floor(i / 20) / 2,
    z: 300 + (i % 7) / 10,
  }));
  const las = writeLas({
    minor: isNew ? 4 : 3,
    pointFormat,
    points,
    records: [
      keysRecord([
        [1024, 0, 1, 1],
        [3072, 0, 1, 25832],
        [4096, 0, 1, 7837],
      ]),
    ],
    extraBytes: points.map(() => Buffer.alloc(waveExtraBytes)),
  });
  const { gpsTime, colour, infrared, wavePacket } = layoutOf(pointFormat);
  const length = baseLengthOf(pointFormat)! + waveExtraBytes;
  const roll = dice(pointFormat);
  let [packet, size, seconds] = [60n, 120, 1000.25];
  for (let i = 0, at = las.readUInt32LE(96); i < wavePoints; i++, at += length) {
    const returns = 1 + roll(3);
    const number = 1 + (i % returns);
    las.writeUInt16LE(500 + roll(40) * 8, at + 12);
    las[at + 14] = isNew ? number | (returns << 4) : number | (returns << 3) | (roll(2) << 6);
    if (isNew) las[at + 15] = (roll(2) << 4) | (roll(8) === 0 ? 8 : 0);
    las[at + (isNew ? 16 : 15)] = [2, 2, 2, 6, 9][roll(5)]!;
    las[at + 17] = roll(4);
    if (isNew) las.writeInt16LE(roll(60) * 10 - 300, at + 18);
    else las.writeInt8(roll(5) - 2, at + 16);
    las.writeUInt16LE(7 + (roll(20) === 0 ? 1 : 0), at + (isNew ? 20 : 18));
    if (number === 1) seconds += roll(30) === 0 ? 50 : 0.000_05 * (1 + roll(3));
    las.writeDoubleLE(seconds, at + gpsTime!);
    for (const [band, base] of [60, 90, 120].entries())
      if (colour !== undefined) las.writeUInt16LE((base + roll(50)) * 257, at + colour + band * 2);
    if (infrared !== undefined) las.writeUInt16LE((100 + roll(9)) * 257, at + infrared);
    if (number === 1) packet += roll(25) === 0 ? 40_000_000_000n : BigInt(size);
    if (roll(10) === 0) size = 100 + roll(60);
    las[at + wavePacket!] = 1 + (i % 2);
    las.writeBigUInt64LE(packet, at + wavePacket! + 1);
    las.writeUInt32LE(size, at + wavePacket! + 9);
    for (const [n, value] of [100 + roll(90), 0.01 * roll(3), -0.02, -0.149].entries())
      las.writeFloatLE(value, at + wavePacket! + 13 + n * 4);
    las[at + length - 2] = roll(3);
    las[at + length - 1] = i >> 4;
  }
  return las;
}
