import assert from 'node:assert/strict';
import { test } from 'node:test';
import { datasourceTypes } from '@platen/contract/datasource-types';
import { boxOf, fromProbe, jobBefore, nameOf, typeOf, typeToRegister } from './new-datasource.ts';
import { typeNames } from './type-names.ts';

const use = (kind: 'datasource' | 'job', type: string) => ({ kind, type, confidence: 0.9, reason: 'x' });

test('the type is the best that the data fits as it is', () => {
  assert.equal(typeOf({ uses: [use('job', 'platenTilesVector'), use('datasource', 'geojson')] }), 'geojson');
  assert.equal(typeOf({ uses: [use('datasource', 'nothingKnown')] }), undefined);
  const unsure = { ...use('datasource', 'cog'), confidence: 0.1 };
  assert.equal(typeOf({ uses: [unsure] }), undefined);
  assert.equal(typeToRegister({ uses: [unsure, use('datasource', 'generic')] }), 'generic');
  assert.equal(jobBefore({ uses: [use('job', 'platenTilesVector')] })?.type, 'platenTilesVector');
  assert.equal(jobBefore({ uses: [use('job', 'a'), use('datasource', 'geojson')] }), undefined);
});

test('the box is that of all layers, within the world', () => {
  const layer = (bbox?: number[]) => ({ bbox }) as never;
  assert.deepEqual(boxOf({ layers: [layer([1, 2, 3, 4]), layer(), layer([0, 3, 2, 9])] }), [0, 2, 3, 9]);
  assert.deepEqual(boxOf({ layers: [layer([170, -20, -170, -10])] }), [170, -20, -170, -10]);
  assert.equal(boxOf({ layers: [layer()] }), undefined);
});

test('names are those of the files, as people write them', () => {
  assert.equal(nameOf('a/b/luft_mess stationen.geojson'), 'Luft mess stationen');
  assert.equal(nameOf('tiles/city.tileset.zip'), 'City.tileset');
  assert.equal(nameOf('autzen.jpg'), 'Autzen');
  assert.equal(nameOf('N49E011.hgt.gz'), 'N49E011');
  assert.equal(nameOf('folder/'), 'Folder');
  const named = ['autzen.jpg', 'N49E011.hgt', 'lone-star.copc.laz', 'delft.city.json', 'tamana-49303425.gml'];
  assert.deepEqual(named.map(nameOf), ['Autzen', 'N49E011', 'Lone-star', 'Delft', 'Tamana-49303425']);
  assert.equal(nameOf('Version 1.2.tif'), 'Version 1.2');
  assert.equal(nameOf('.json'), '.json');
});

test('a map service is registered with the chosen layers and their extent', () => {
  const probe = {
    url: 'https://maps.example/wms',
    type: 'wms' as const,
    typeProperties: { version: '1.3.0' },
    layers: [{ name: 'a', bbox: [1, 2, 3, 4] }, { name: 'b', bbox: [2, 2, 5, 4] }, { name: 'c' }],
    bbox: [-180, -90, 180, 90],
  };
  const body = fromProbe(probe, { name: 'X', type: 'wms', layers: ['a', 'b'] });
  assert.deepEqual(body.typeProperties, { version: '1.3.0', layers: 'a,b' });
  assert.deepEqual(body.bbox, [1, 2, 5, 4]);
  const other = fromProbe(probe, { name: 'X', type: 'generic', layers: [] });
  assert.deepEqual(other.typeProperties, {});
  assert.deepEqual(other.bbox, probe.bbox);
});

test('the types are those of the contract', () => {
  assert.deepEqual(typeNames.toSorted(), datasourceTypes.toSorted());
});
