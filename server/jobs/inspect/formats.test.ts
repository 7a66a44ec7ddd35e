import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Inspection } from '@platen/contract/inspect';
import { keysOf, writeTiff } from '@platen/formats/geotiff/testing';
import { keysRecord, writeLas } from '@platen/formats/las/testing';
import { writePng } from '@platen/formats/png/write-png';
import { ingest } from '../../files/objects/ingest.ts';
import { startRunner } from '../testing-runner.ts';
import { projectWithCities } from '../tasks/testing.ts';
import { startService } from '../../testing.ts';

/** What native code and WASM do within the closed process of a job, no other test can say. */
const service = await startService();
const { admin, adminId, app, context } = service;
await app.listen({ host: '127.0.0.1', port: 0 });
const { projectId, bucketId } = await projectWithCities(service);
async function inspect(
  key: string,
  sidecars: Readonly<Record<string, Uint8Array | string>>,
): Promise<Inspection> {
  for (const [name, content] of Object.entries(sidecars)) {
    const file = { projectId, bucketId, key: name, by: adminId, overwrite: true };
    await ingest(context, { ...file, body: Readable.from([Buffer.from(content)]) });
  }
  const params = { projectId, dataBucketId: bucketId };
  const answer = await admin.postProjectDataBucketInspect({ params, query: { key, waitSeconds: 25 } });
  assert.ok(!('jobId' in answer), JSON.stringify(answer));
  return answer;
}

const points = Array.from({ length: 2000 }, (_, i) => ({
  x: 600_000 + (i % 50),
  y: 5_400_000 + Math.floor(i / 50),
  z: i % 9,
}));
const utm = [
  [1024, 0, 1, 1],
  [3072, 0, 1, 25832],
] as const;

test('a job describes imagery, pictures and points, and draws them', async (t) => {
  const runners = await startRunner(service);
  t.after(() => runners.stop());
  // noise, whose picture is large
  const sample = (x: number, y: number) => ((x * 7919) ^ (y * 104_729)) & 255;
  const image = { width: 300, height: 300, tile: 64, bands: 3, isDeflated: true, sample };
  const tif = writeTiff({ images: [image], keys: keysOf(3857), scale: [1, 1], tie: [0, 0, 0, 0, 0, 0] });
  const png = writePng(new Uint8Array(40 * 40 * 4).fill(120), 40, 40);
  const world = '1\n0\n0\n-1\n600000.5\n5399999.5\n';
  const las = writeLas({ points, records: [keysRecord(utm)] });
  const imagery = await inspect('a.tif', { 'a.tif': tif });
  const map = await inspect('map.png', { 'map.png': png, 'map.pgw': world, 'map.prj': 'EPSG:25832' });
  const cloud = await inspect('a.las', { 'a.las': las });
  for (const [report, format] of [
    [imagery, 'geotiff'],
    [map, 'png'],
    [cloud, 'las'],
  ] as const) {
    assert.equal(report.format, format, JSON.stringify(report.issues));
    const [head, picture = ''] = (report.thumbnail ?? '').split(',');
    assert.equal(head, 'data:image/webp;base64', format);
    const bytes = Buffer.from(picture, 'base64');
    assert.equal(bytes.readUInt32LE(4) + 8, bytes.length, 'as RIFF says how long it is');
    assert.ok(report.layers[0]!.bbox, format);
  }
});

const samples = process.env['PLATEN_SAMPLE_DATA'] ?? join(import.meta.dirname, '../../../../shared/data');
const laz = join(samples, 'points/lone-star.laz');
const skip = existsSync(laz) ? false : `SKIPPED: ${laz} is not there`;

test('a job decodes chunks of a LAZ', { skip }, async (t) => {
  const runners = await startRunner(service);
  t.after(() => runners.stop());
  const report = await inspect('lone-star.laz', { 'lone-star.laz': await readFile(laz) });
  assert.ok((report.layers[0]!.details!['sampledPoints'] as number) > 100_000, JSON.stringify(report.issues));
  assert.match(report.thumbnail!, /^data:image\/webp/);
});

test('heights that nothing is known of are judged by those of other data of the project', async (t) => {
  const runners = await startRunner(service);
  t.after(() => runners.stop());
  /** Six kilometres in Italy, where a CRS does not say what heights count from. */
  const heights = (raise: number, factor = 1, ...vertical: readonly (readonly number[])[]) =>
    writeTiff({
      images: [
        {
          width: 64,
          height: 64,
          bits: 32,
          sampleFormat: 3,
          sample: (x, y) => (300 + 20 * Math.sin(x / 9) + y + raise) * factor,
        },
      ],
      keys: [...utm, ...vertical] as never,
      scale: [100, 100],
      tie: [0, 0, 0, 600_000, 4_900_000, 0],
    });
  const diagnosisOf = ({ layers }: Inspection) =>
    layers[0]!.details!['heights'] as {
      vertical?: string;
      asks: boolean;
      reason: string;
      undulation: number;
      options: object;
    };
  const alone = diagnosisOf(await inspect('alone.tif', { 'alone.tif': heights(0) }));
  assert.deepEqual([alone.vertical, alone.asks], [undefined, true]);
  const known = diagnosisOf(await inspect('known.tif', { 'known.tif': heights(0, 1, [4096, 0, 1, 5773]) }));
  assert.deepEqual([known.vertical, known.asks], ['EPSG:5773', false]);
  const raised = heights(known.undulation);
  const scan = diagnosisOf(await inspect('scan.tif', { 'scan.tif': raised }));
  assert.deepEqual([scan.vertical, scan.asks], ['ellipsoid', false]);
  assert.match(scan.reason, /At \d+ places that it shares with known\.tif, its ground is 4\d\.\d m higher/);
  const feet = await inspect('feet.tif', { 'feet.tif': heights(0, 1 / 0.3048) });
  assert.deepEqual(diagnosisOf(feet).options, { unit: 'foot' });
  // what was asked for before is judged by what came later
  const again = diagnosisOf(await inspect('alone.tif', {}));
  assert.deepEqual([again.vertical, again.asks], ['EPSG:5773', false]);
});
