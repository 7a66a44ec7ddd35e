import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFile } from '../../bytes/open-file.ts';
import { openLas } from '../open-las.ts';
import { baseLengthOf, layoutOf } from '../point-format.ts';
import { waveExtraBytes, wavePoints, writeWaves } from '../testing-waves.ts';
import { decodeChunk } from './decode-chunk.ts';

const packetBytes = 29;

// golden/waves-*.laz are these files, packed by LASzip 3.5; of LAS 1.5, it packs layers in version 4
for (const [name, pointFormat] of [
  ['waves-4', 4],
  ['waves-5', 5],
  ['waves-9', 9],
  ['waves-10', 10],
  ['waves-10-v4', 10],
] as const)
  test(`decodes what LASzip packed of format ${pointFormat}, with wave packets in between: ${name}`, async () => {
    const file = await openFile(join(import.meta.dirname, `golden/${name}.laz`));
    const { header, parts } = await openLas(file);
    const [part] = parts;
    assert.deepEqual(
      [header.version === '1.5', part!.isVersion4 ?? false],
      Array(2).fill(name.endsWith('v4')),
    );
    assert.deepEqual([header.pointFormat, parts.map(({ points }) => points)], [pointFormat, [wavePoints]]);
    const packed = await file.read(part!.offset, part!.length);
    await file.close();
    const records = decodeChunk(packed, { ...header, isVersion4: part!.isVersion4 }, wavePoints);
    const las = writeWaves(pointFormat);
    const length = baseLengthOf(pointFormat)! + waveExtraBytes;
    const packet = layoutOf(pointFormat).wavePacket!;
    for (let i = 0; i < wavePoints; i++) {
      const from = las.readUInt32LE(96) + i * length;
      const [ours, theirs] = [
        records.subarray(i * length, (i + 1) * length),
        las.subarray(from, from + length),
      ];
      // of layers, those of packets are skipped
      if (pointFormat >= 6) for (const one of [ours, theirs]) one.fill(0, packet, packet + packetBytes);
      assert.deepEqual([...ours], [...theirs], `point ${i}`);
    }
  });
