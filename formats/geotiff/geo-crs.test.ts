import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCrs } from '../crs/find-crs.ts';
import { crsOfKeys } from './geo-crs.ts';
import { decodeGeoKeys } from './geo-keys.ts';

const userDefined = 32_767;
/** Degrees on an ellipsoid by its code. */
const geographic = (ellipsoid: number, parameters: readonly number[]) => {
  const shift = parameters.length > 0 ? [[2062, 34_736, parameters.length, 0]] : [];
  const keys = [[1024, 0, 1, 2], [2048, 0, 1, userDefined], [2056, 0, 1, ellipsoid], ...shift];
  return crsOfKeys(decodeGeoKeys([1, 1, 0, keys.length, ...keys.flat()], parameters, ''));
};

test('a datum whose parameters stand in the file is shifted by them, as gdaltransform does', () => {
  // GeogToWGS84GeoKey5.tif of the samples of libgeotiff
  const { text, isUserDefined } = geographic(7004, [598.1, 73.7, 418.2, 0.202, 0.045, -2.455, 6.7]);
  assert.ok(isUserDefined);
  const place = Float64Array.of(9.001, 52.001);
  findCrs(text!).toLonLat(place, 1);
  assert.ok(Math.abs(place[0]! - 8.999_942_634_884_97) < 1e-11, String(place[0]));
  assert.ok(Math.abs(place[1]! - 51.999_624_040_445_6) < 1e-11, String(place[1]));
});

test('three parameters are a translation, and another number of them counts for nothing', () => {
  assert.equal(geographic(7022, [1, 2, 3]).text, '+proj=longlat +ellps=intl +towgs84=1,2,3');
  assert.equal(geographic(7022, [1, 2]).text, '+proj=longlat +ellps=intl');
  assert.equal(geographic(1, []).text, undefined);
});
