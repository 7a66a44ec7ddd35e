import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BaseMap } from '@platen/contract/base-maps';
import { Failure } from '../../base/failure.ts';
import { requireBaseMaps } from './check-base-maps.ts';

const attribution = { text: '© City' };
const xyz: BaseMap = {
  id: 'city',
  name: 'City map',
  type: 'xyz',
  url: 'https://maps.city.example/light/{z}/{x}/{y}.png',
  attribution,
};
const wmts: BaseMap = {
  id: 'relief',
  name: 'Relief',
  type: 'wmts',
  url: 'https://maps.city.example/wmts',
  layer: 'relief',
  tileMatrixSet: 'WEBMERCATOR',
  attribution,
};

test('base maps of every type are taken', () => {
  const url = 'https://maps.city.example/service';
  requireBaseMaps([
    { ...xyz, minZoom: 3, maxZoom: 3, bbox: [6, 50, 7, 51], thumbnail: 'https://maps.city.example/a.png' },
    wmts,
    {
      id: 'tiles',
      name: 'Tiles',
      type: 'wmts',
      url: 'http://maps.city.example/{TileMatrixSet}/{TileMatrix}/{TileCol}/{TileRow}.png',
      attribution: { text: 'City', url: 'https://www.city.example/' },
    },
    { id: 'images', name: 'Images', type: 'wms', url: `${url}?map=a`, layer: 'a,b', attribution },
    { id: 'ground', name: 'Ground', type: 'terrain', url, attribution },
    { id: 'own', name: 'Own', type: 'datasource', datasourceId: '1' },
  ]);
});

test('what is wrong is said with its place and what to do', () => {
  const cases: readonly [BaseMap, pointer: string, said: RegExp][] = [
    [{ ...xyz, id: 'world-dark' }, 'id', /world map of this service/],
    [{ ...xyz, url: 'https://maps.city.example/{z}/{x}.png' }, 'url', /lacks \{y\}/],
    [{ ...xyz, url: 'https://maps.city.example/{z}/{x}/{-y}.png' }, 'url', /lacks \{y\}/],
    [{ ...xyz, url: 'https://maps.city.example/{z}/{x}/{y}/{r}.png' }, 'url', /\{r\} cannot be replaced/],
    [{ ...xyz, url: 'https://{s}.city.example/{z}/{x}/{y}.png' }, 'url', /\{s\} cannot be replaced/],
    [{ ...xyz, url: 'maps.city.example/{z}/{x}/{y}.png' }, 'url', /complete web address/],
    [{ ...xyz, url: 'javascript:alert(1)//{z}/{x}/{y}' }, 'url', /complete web address/],
    [{ ...xyz, url: 'https://eva:x@city.example/{z}/{x}/{y}' }, 'url', /without a login/],
    [{ ...xyz, layer: 'a' }, 'layer', /does not have it/],
    [{ ...xyz, datasourceId: '1' }, 'datasourceId', /does not have it/],
    [{ ...xyz, attribution: { text: 'a', url: 'data:x' } }, 'attribution/url', /complete web address/],
    [{ ...xyz, thumbnail: '/a.png' }, 'thumbnail', /complete web address/],
    [{ ...xyz, minZoom: 5, maxZoom: 4 }, 'minZoom', /above maxZoom/],
    [{ ...xyz, bbox: [7, 50, 6, 51] }, 'bbox', /west, south, east, north/],
    [{ ...xyz, bbox: [6, 50, 7, 91] }, 'bbox', /west, south, east, north/],
    [{ id: 'a', name: 'A', type: 'xyz', attribution }, 'url', /needs it/],
    [{ id: 'a', name: 'A', type: 'xyz', url: xyz.url! }, 'attribution', /needs it/],
    [{ id: 'a', name: 'A', type: 'datasource' }, 'datasourceId', /needs it/],
    [
      { id: 'a', name: 'A', type: 'wmts', url: wmts.url!, attribution, layer: 'a' },
      'tileMatrixSet',
      /template/,
    ],
    [{ id: 'a', name: 'A', type: 'wms', url: wmts.url!, attribution }, 'layer', /needs it/],
  ];
  for (const [baseMap, field, said] of cases)
    assert.throws(
      () => requireBaseMaps([wmts, baseMap]),
      (error) => {
        assert.ok(error instanceof Failure, JSON.stringify(baseMap));
        assert.equal(error.errors[0]!.pointer, `/baseMaps/1/${field}`);
        assert.match(error.message, said);
        return true;
      },
    );
  assert.throws(() => requireBaseMaps([xyz, wmts, xyz]), /\/baseMaps\/2\/id: Another base map/);
});
