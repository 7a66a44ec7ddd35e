import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFile } from '../../bytes/open-file.ts';
import { openLas } from '../open-las.ts';
import { baseLengthOf, layoutOf } from '../point-format.ts';
import { waveExtraBytes, wavePoints, writeWaves } from '../testing-waves.ts';
import { decodeChunk } from './decode-chunk.ts';

const packetBytes = 29;

// golden/waves-*.laz are these files, packed by LASzip 3.5
for (const pointFormat of [4, 5, 9, 10] as const)
  test(`decodes what LASzip packed of format ${pointFormat}, with wave packets in between`, async () => {
    const file = await openFile(join(import.meta.dirname, `golden/waves-${pointFormat}.laz`));
    const { header, parts } = await openLas(file);
    assert.deepEqual([header.pointFormat, parts.map(({ points }) => points)], [pointFormat, [wavePoints]]);
    const packed = await file.read(parts[0]!.offset, parts[0]!.length);
    await file.close();
    const records = decodeChunk(packed, header, wavePoints);
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
