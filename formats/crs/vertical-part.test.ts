import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verticalPart } from './vertical-part.ts';

test('the height reference of compound CRSs is known in any spelling', () => {
  for (const [text, expected] of [
    ['EPSG:7415', 'NAP height'],
    ['urn:ogc:def:crs:EPSG::7415', 'NAP height'],
    ['https://www.opengis.net/def/crs/EPSG/0/6697', 'JGD2011 (vertical) height'],
    ['EPSG:25832+7837', 'DHHN2016 height'],
    ['urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::5783', 'DHHN92 height'],
    [
      'http://www.opengis.net/def/crs-compound?1=http://www.opengis.net/def/crs/EPSG/0/25832&2=http://www.opengis.net/def/crs/EPSG/0/7837',
      'DHHN2016 height',
    ],
    ['urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH', 'DHHN2016 height'],
    ['EPSG:4979', 'ellipsoid of WGS 84 (EPSG:4979)'],
    ['COMPD_CS["a",PROJCS["b"],VERT_CS["Ordnance height"]]', 'Ordnance height'],
    ['EPSG:25832', undefined],
    ['nonsense', undefined],
    ['VERT_CS["cut', undefined],
    ['', undefined],
  ] as const)
    assert.equal(verticalPart(text), expected, text);
});
