import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { codes, feature, setUpInspections } from './testing-inspections.ts';

const { inspect } = await setUpInspections();
/** Leaves 3.2 MB for data. */
const tiny = { memoryMegabytes: 16 };

const picture = sharp({ create: { width: 1000, height: 1000, channels: 3, background: '#8ac' } });
const arc = '[[1,2],[3,4],[5,6]]';
const arcs = Array.from({ length: 20_000 }, () => arc).join(',');
const tile = '{"boundingVolume":{"region":[0.1,0.8,0.2,0.81,0,50]},"geometricError":0}';
const tiles = Array.from({ length: 15_000 }, () => tile).join(',');

for (const [name, content, code] of [
  [
    'arcs.topojson',
    `{"type":"Topology","objects":{"a":{"type":"LineString","arcs":[0]}},"arcs":[${arcs}]}`,
    'notLookedInto',
  ],
  ['text.geojson', feature([1, 2], { text: 'x'.repeat(3_000_000) }), 'featureTooLarge'],
  [
    'tileset.json',
    `{"asset":{"version":"1.1"},"geometricError":9,"root":{"boundingVolume":{"region":[0.1,0.8,0.2,0.81,0,50]},"geometricError":9,"refine":"ADD","children":[${tiles}]}}`,
    'tooLarge',
  ],
] as const)
  test(`${name} is only inspected as far as the memory allows, and the report says so`, async () => {
    assert.ok(codes(await inspect(name, content, tiny)).includes(code));
    const whole = await inspect(name, content);
    assert.ok(!codes(whole).includes(code));
    assert.equal(whole.layers.length, 1);
  });

for (const [name, bytes] of [
  ['interlaced.png', await picture.clone().png({ progressive: true }).toBuffer()],
  ['progressive.jpg', await picture.clone().jpeg({ progressive: true }).toBuffer()],
] as const)
  test(`${name}, which is decoded as a whole, has no thumbnail if the memory does not suffice`, async () => {
    const report = await inspect(name, bytes, tiny);
    assert.deepEqual([report.thumbnail, report.layers[0]!.details!['width']], [undefined, 1000]);
    assert.ok((await inspect(name, bytes)).thumbnail);
  });
