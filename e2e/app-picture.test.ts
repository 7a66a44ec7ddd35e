import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { detectConfinement } from '@platen/confinement/confinement';
import sharp from 'sharp';
import { findChromium, howToGetIt } from './chromium.ts';
import { runService, type RunningService } from './processes.ts';

const executable = findChromium();
const mayConfine = (await detectConfinement()).measures.has('ownNetwork');
const skip =
  executable === undefined ? howToGetIt : !mayConfine && 'This machine allows no process without a network.';
const renderMs = 240_000;

const field = JSON.stringify({
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [8, 47],
        [14, 47],
        [14, 53],
        [8, 53],
        [8, 47],
      ],
    ],
  },
});

/** An app with a red field that the painter cannot show: its style is an expression. */
async function makeApp({ client }: RunningService, more: object[] = []) {
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({
    body: { name: 'Pictures', description: '', bbox: [-180, -85, 180, 85] },
  });
  const params = { projectId };
  const form = new FormData();
  form.append('file', new Blob([field]), 'field.geojson');
  await client.postProjectDataBucketUpload({ params: { ...params, dataBucketId }, body: form });
  const sourceProperties = { type: 'internal' as const, dataBucketId, dataBucketKey: 'field.geojson' };
  const { _id: datasourceId } = await client.postProjectDatasource({
    params,
    body: { type: 'geojson', name: 'Field', sourceProperties },
  });
  const style = { type: 'DeclarativeStyleItem', declarativeStyle: { color: 'rgb(200 + 55, 1 - 1, 0)' } };
  const layers = [
    { type: 'GeoJSONLayer', name: 'field', datasourceId, activeOnStartup: true, style },
    ...more,
  ];
  const { _id: moduleId } = await client.postProjectModule({
    params,
    body: {
      name: 'Field',
      maps: [{ type: 'OpenlayersMap', name: 'flat' }],
      layers,
      viewpoints: [
        { name: 'start', groundPosition: [11, 50, 0], distance: 300_000, heading: 0, pitch: -90, roll: 0 },
      ],
      startingViewpointName: 'start',
    } as never,
  });
  const body = { name: 'Field', mapVersion: '^6.3', moduleIds: [moduleId] };
  const { _id: appId } = await client.postProjectApp({ params, body });
  return { projectId, appId };
}

async function middleOf(picture: Response): Promise<number[]> {
  const image = sharp(Buffer.from(await picture.arrayBuffer()));
  const { width, height } = await image.metadata();
  assert.deepEqual([width, height], [1200, 630]);
  const pixel = image.extract({ left: 600, top: 315, width: 1, height: 1 });
  return [...(await pixel.removeAlpha().raw().toBuffer())];
}
const isRed = ([red = 0, green = 0, blue = 0]: readonly number[]) => red > 200 && green < 80 && blue < 80;

test(
  'the picture of a public app is what its page shows in a browser, which asks no host but the service',
  { skip, timeout: 400_000 },
  async (t) => {
    const asked: string[] = [];
    const foreign = createServer((request, response) => {
      asked.push(request.url!);
      response.end();
    });
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    t.after(() => foreign.close());
    const { port } = foreign.address() as AddressInfo;
    const service = await runService({ env: { PLATEN_CHROMIUM: executable!, PLATEN_RUNNERS: '0' } });
    t.after(() => service.stop());
    const foreignLayer = {
      type: 'WMSLayer',
      name: 'foreign',
      activeOnStartup: true,
      url: `http://127.0.0.1:${port}/wms`,
      layers: 'a',
    };
    const params = await makeApp(service, [foreignLayer]);
    const address = `${service.url}/app/${params.appId}/preview.png`;
    const headers = { authorization: `Bearer ${service.token}` };
    const hidden = await fetch(address, { headers });
    const painted = hidden.headers.get('etag');
    await service.client.putProjectAppPublic({ params });
    const first = await fetch(address);
    assert.equal(first.headers.get('etag'), painted, 'painted until it is rendered');
    let last = first;
    for (const end = Date.now() + renderMs; Date.now() < end; await sleep(500)) {
      last = await fetch(address);
      if (last.headers.get('etag') !== painted) break;
    }
    assert.notEqual(last.headers.get('etag'), painted);
    const middle = await middleOf(last.clone());
    assert.ok(isRed(middle), String(middle));
    assert.deepEqual(asked, []);
    await service.client.deleteProjectAppPublic({ params });
    assert.equal((await fetch(address, { headers })).headers.get('etag'), painted, 'others are painted');
  },
);
