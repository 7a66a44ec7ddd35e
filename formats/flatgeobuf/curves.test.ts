import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createGeometryBuffer } from '../feature/geometry-buffer.ts';
import { readWkb } from '../wkb/read-wkb.ts';
import { encodeWkb, plainParts, plainWkb, type Geometry } from '../wkb/testing.ts';
import { makeTestFolder } from '../testing-folder.ts';
import { open, readParts } from './testing.ts';

const { newPath } = makeTestFolder('.fgb');

/** The geometries of `curves` as GDAL 3.12.4 wrote them; gzip, base64. */
const curvesByGdal =
  'H4sIAAAAAAACA0tLT2JOS09inMPAwKDAAAESQBYHAw8DAggwiDCwAcUhwAOIZcCiDAzcSKoYgdgBiFkYcAEBB2QapD6HgQ9oDgcD' +
  'O1icB8gDA1YOJDPzgLgELMsAdhcLkATJq0DtYoObLwRVAwPsQBEw4EBVhw4+2KPSDA4wmTtQfzKg2a2BYjcjmBRBCTOQ7RxAMTDg' +
  'BKllAuIAqL5T////BwmxoIaXAwNeQH3/mTBihqsIit+YwOQSiHu5YP5IgKqJgoij2f/AftZMEDgJtxfCv2mPTX4ohlsJwXBjBpNP' +
  'IO7lZoGJAPUtAecx4vxtATXTi0R/V2GNF+L9twvJPnL00yrcWZgIhTskdK78A7ufBxaOB6BhDnKTAErpBncT8wSobgGC5Rf28gwL' +
  'cED1BwcOPoMDNvVMUPdwjOY/jHSwhRF7uYyaFlgh9RXEzeywPBjDCKnDQPxD/yhL57jiRYpO8QIrH7pIjJddFJYPBOKVkQVec6Dq' +
  'byFYj7PhM1eQBUWc/PyJq15HdQs7vvJCgAblBUX6kcsLHkZi2i0chNot/LB4LIDqWwVJN8zUigcC6Yhq9oQQTHecZKXnFILmcuEz' +
  'Fz2/4sx/AOD7VFyoCwAA';
const ring = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 0],
];
const arcs: Geometry = {
  type: 'CircularString',
  coordinates: [
    [0, 0],
    [1, 1],
    [2, 0],
  ],
};
const bent: Geometry = {
  type: 'LineString',
  coordinates: [
    [0, 0],
    [1, 1],
    [2, 0],
  ],
};
const compound: Geometry = {
  type: 'CompoundCurve',
  geometries: [
    arcs,
    {
      type: 'LineString',
      coordinates: [
        [2, 0],
        [0, 0],
      ],
    },
  ],
};
const circle: Geometry = {
  type: 'CircularString',
  coordinates: [
    [0.5, 0.2],
    [1, 0.4],
    [0.5, 0.2],
  ],
};
const curved: Geometry = { type: 'CurvePolygon', geometries: [compound, circle] };
const holed: Geometry = {
  type: 'Polygon',
  coordinates: [
    ring,
    [
      [2, 1],
      [3, 1],
      [3, 2],
      [2, 1],
    ],
  ],
};
const curves: readonly Geometry[] = [
  arcs,
  compound,
  curved,
  { type: 'MultiCurve', geometries: [arcs, bent, compound] },
  { type: 'MultiSurface', geometries: [curved, holed] },
  { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }, curved, bent] },
  { type: 'Triangle', coordinates: [ring] },
  { type: 'TIN', coordinates: [[ring], [ring]] },
  { type: 'PolyhedralSurface', coordinates: [[ring], [ring]] },
  { type: 'Point', coordinates: [1, 2] },
  {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [1, 1],
    ],
  },
];

test('curves, surfaces and heights that GDAL wrote become the same geometries as their WKB', async () => {
  const path = newPath();
  writeFileSync(path, gunzipSync(Buffer.from(curvesByGdal, 'base64')));
  const { layers } = await open(path);
  assert.deepEqual([layers[0]!.crs, layers[0]!.featureCount], [undefined, 11]);
  const seen = await readParts(layers[0]!.parts);
  const geometryOf = createGeometryBuffer();
  for (const [i, plain] of curves.entries()) {
    assert.equal(readWkb(encodeWkb(plain, plainWkb), 0, geometryOf), undefined);
    assert.deepEqual(seen[i], {
      id: undefined,
      properties: { n: i },
      problem: undefined,
      parts: plainParts(geometryOf),
      place: { feature: i + 1, byte: seen[i]!.place.byte },
    });
  }
});
