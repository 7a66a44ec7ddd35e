import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { longestAbort } from '../testing-abort.ts';
import { openObjectTests } from './testing.ts';
import { cityGml, houseXml, housesInRows } from './testing-models.ts';

const tests = await openObjectTests();
afterFile(tests.remove);

const houses = housesInRows(1000).map(houseXml);
const inputs = {
  'one large model': await tests.put('town.gml', cityGml(houses.join(''))),
  'a zip file of many models': await tests.put(
    'town.zip',
    zipOfFiles(
      Object.fromEntries(houses.slice(0, 300).map((house, i) => [`${i}.gml`, cityGml(house)] as const)),
    ),
  ),
};

for (const [name, input] of Object.entries(inputs)) {
  test(`a job has ended two seconds after an abort: ${name}`, async (t) => {
    const options = { tiling: { features: 50 } } as const;
    const { seconds, aborts } = await longestAbort((signal) => tests.run([input], options, { signal }));
    t.diagnostic(`${aborts} aborts, at most ${seconds.toFixed(2)} s`);
    assert.ok(aborts > 0 && seconds <= 2, `${seconds} s`);
  });
}
