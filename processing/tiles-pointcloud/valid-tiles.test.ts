import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeLas } from '@platen/formats/las/testing';
import { afterFile } from '../../checks/clean-up.ts';
import {
  howToGetTilesValidator,
  tilesetProblems,
  tilesValidator,
} from '../models/testing-tiles-validator.ts';
import { openPointTests } from './testing.ts';
import { small, town, utm } from './testing-town.ts';

const tests = await openPointTests();
afterFile(() => tests.remove());
const skip = tilesValidator === undefined && howToGetTilesValidator;

const attributes = ['intensity', 'classification', 'returnNumber', 'gpsTime', 'scanAngle', 'height'];
// the validator does not unpack zstd
const outputs = [{ format: 'folder' }, { format: '3tz', packing: 'deflate' }] as const;

for (const encoding of ['pnts', 'glb'] as const)
  test(`the validator of 3D Tiles finds nothing in points as ${encoding}`, { skip }, async () => {
    const las = writeLas({ minor: 4, pointFormat: 7, points: town(20_000), records: [utm] });
    const input = await tests.put('town.las', las);
    for (const output of outputs) {
      const run = await tests.run([input], {
        ...small,
        modelOptions: { attributes },
        output: { encoding, ...output },
      });
      const made = join(run.outputFolder, run.result.datasource!.path);
      const tileset = output.format === 'folder' ? join(made, 'tileset.json') : made;
      assert.deepEqual(await tilesetProblems(tileset, join(run.outputFolder, 'report.json')), []);
    }
  });
