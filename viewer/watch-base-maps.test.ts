import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { watchBaseMaps } from './watch-base-maps.ts';

test('a base map that does not answer is reported once, when it is first shown', async () => {
  const asked: string[] = [];
  const reported: string[] = [];
  const { promise: done, resolve: end } = Promise.withResolvers<void>();
  const look = () => asked.length === 4 && reported.length === 4 && end();
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.statusCode = request.url!.startsWith('/broken')
      ? 503
      : request.url!.startsWith('/city')
        ? 404
        : 200;
    response.end();
    look();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gone = 'http://127.0.0.1:1';
  const tiles = (name: string, base: string, more: object = {}) => ({
    type: 'WMTSLayer',
    name,
    url: `${base}/{TileMatrix}/{TileCol}/{TileRow}.png`,
    properties: { title: `The ${name}` },
    ...more,
  });
  const extent = { coordinates: [6, 50, 8, 52] };
  const shown = [
    tiles('city', `${url}/city`, { minLevel: 8, extent }),
    tiles('broken', `${url}/broken`),
    tiles('gone', gone),
    { type: 'WMTSLayer', name: 'wmts', url: `${url}/wmts?map=a` },
    { type: 'WMSLayer', name: 'wms', url: gone },
    { type: 'TerrainLayer', name: 'ground', url: `${url}/ground/`, properties: { title: 'Ground' } },
    { type: 'WMTSLayer', name: 'world', url: '/basemap/world/{TileMatrix}/{TileCol}/{TileRow}.png' },
  ];
  const later = tiles('later', gone);
  const listeners: ((layer: { name: string; active: boolean }) => void)[] = [];
  const layers = {
    stateChanged: { addEventListener: (listener: (typeof listeners)[number]) => listeners.push(listener) },
    *[Symbol.iterator]() {
      for (const { name } of [...shown, later]) yield { name, active: name !== 'later' };
    },
  };
  const report = (title: string) => {
    reported.push(title);
    if (reported.length === 3) for (const listener of listeners) listener({ name: 'later', active: true });
    look();
  };
  const modules = [{ _id: 'platen-world' }, { _id: 'platen-base-maps', layers: [...shown, later] }];
  watchBaseMaps(layers, modules, report);
  await done;
  for (const listener of listeners) listener({ name: 'gone', active: true });
  server.closeAllConnections();
  server.close();
  assert.deepEqual(reported.toSorted(), ['The broken', 'The gone', 'The later', 'wms']);
  assert.deepEqual(asked.toSorted(), [
    '/broken/0/0/0.png',
    '/city/8/132/85.png',
    '/ground/layer.json',
    '/wmts?map=a&SERVICE=WMTS&REQUEST=GetCapabilities',
  ]);
});
