// TIPPECANOE=<its program> node e2e/tiles/make-tippecanoe-golden.ts: what tippecanoe 2.82 makes of the extracts, in numbers.
import { writeFile } from 'node:fs/promises';
import { commandLine, extracts, goldenFile, summaryOfTippecanoe, type Golden } from './testing-tippecanoe.ts';

const program = process.env['TIPPECANOE'];
if (program === undefined) throw new Error('Name the program of tippecanoe in TIPPECANOE.');
const golden: Golden = {
  madeBy: `tippecanoe 2.82.0 ${commandLine('<maxZoom>').join(' ')}`,
  of: 'examples/data/countries.geojson (public domain), and figures from OpenStreetMap (© OpenStreetMap contributors, ODbL 1.0); each feature has its number as its id',
  extracts: {},
};
for (const extract of extracts) golden.extracts[extract.name] = await summaryOfTippecanoe(program, extract);
await writeFile(goldenFile, `${JSON.stringify(golden, undefined, 1)}\n`);
