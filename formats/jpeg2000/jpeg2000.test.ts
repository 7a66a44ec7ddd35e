import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BytesError } from '../bytes/bytes.ts';
import { bytesOf } from '../bytes/unpacked-bytes.ts';
import { keysOf } from '../geotiff/testing.ts';
import { decodeTile } from './decode-tile.ts';
import { readGmlPlace } from './gml-place.ts';
import { readJpeg2000 } from './read-jpeg2000.ts';
import { placeOfJpeg2000 } from './read-place.ts';
import { codestreamOf, jp2Of } from './testing.ts';
import { readTileStream, tileSizeOf } from './tile-stream.ts';

const sample = (x: number, y: number, band: number): number => (x * 2 + y + band * 60) & 255;

test('each tile is decoded by itself, to what was stored, also at the right and bottom edge', async () => {
  const file = bytesOf(await codestreamOf({ width: 160, height: 96, bands: 3, tile: 64, sample }));
  const { stream, bits, isSigned } = await readJpeg2000(file);
  assert.deepEqual([stream.columns, stream.rows, bits], [3, 2, 8]);
  for (let row = 0; row < 2; row++)
    for (let column = 0; column < 3; column++) {
      const size = tileSizeOf(stream, column, row);
      const one = (await readTileStream(file, stream, { column, row }))!;
      const samples = await decodeTile(one, { ...size, components: 3, bits, isSigned });
      const wanted = Array.from({ length: size.width * size.height * 3 }, (_, i) => {
        const pixel = Math.floor(i / 3);
        const [x, y] = [pixel % size.width, Math.floor(pixel / size.width)];
        return sample(column * 64 + x, row * 64 + y, i % 3);
      });
      assert.deepEqual(Array.from(samples), wanted, `${column}, ${row}`);
    }
});

/** 40 × 40 pixels of 16 bits in tiles of 32, each 1500 × column + 100 × row + 40, by gdal_translate 3.6. */
const deep = Buffer.from(
  `/0//UQApAAIAAAAoAAAAKAAAAAAAAAAAAAAAIAAAACAAAAAAAAAAAAABDwEB/1IADQEAAAEAAAQEAAGZ/1wABECA/2QAPQAB
Q3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS4wLiBMT1NTTEVTUyBzZXR0aW5ncyB1c2Vk/5AACgAAAAAGCAAB/5PP
/DdfUBFQVDKafXgAqY8BEz5QFttpGZXOLutQAYNq1b0/RU1SIJTN6foglMzZ8iCUypqj/YkzZ8bVq75TBgWny/04oQaq9q8J
KatBhyAF7K8U4AMj6eYdVlyblLOy0i7qXxXJuUYWjOFIM2efhyL0N5Us6Hm9PiBLA1kCo+CvlTVCCXXSsQVHQY0VNUHCXpQ3
lSinmM2fAsTzyiCopTLGbPgpH2NGbKBMNgIiUbVHLtWNxTUzSjicgPOc7+IR4b1ZRs675MuM7/4hHhvVkPD4Ch/NmrgEeM1P
wkzVwFl1na17Ajxmp+EmauAsus3cpVSS+hRAbTihm69nOOnXe1mBvfRCZyvI8Rpe1dLBX4SajoymIbiNLeauBEdDcQ0mgHxd
yyScs3VAw6VsZOuB6FnaovT2cYGMWfUrfWuyY9xx/qWH46ZjT6lb612THkXoRBLLY8sYPE35fHVFoED9w+ZUfJkdgb68XVFo
ED90vPahSgxk60+fSbkXj1K4HpYMj0Wa4HuHJCVsZOuB6PvcitSYPR+iWMz1tLz0feuRXnER69C4DuigUvMADRvdj9N3557T
ma3zj2nM6FH0G7HtOZrj2nM1vnHsf1jKFvjtb9vzz2nM1vnHsf1jJuFWOy80nJw5mt9vzz2nM1x7TXunPBvzz2mw5muPaczX
HtNhzO8eQlrfm+3557Tma49prf1jJ6TT/m+3557TmbvzvOPaczXHpUUwAyjNce05mt849pzNce05rpznueee08dIUoJdEmb8
jICwJGGOjLat9FsIThGCGYBMCRkBYEj94DMlOSt3677mrXT5Jm/IyBWWGEq5bd3UwhmiZvyMgLAfwIfZGGRGvkV3NWwgpTuq
Mu9BQ7clXKrCcpCnfVnDO+rQY2IiwJGH2jbm8lWmEFKd1zCMyg6ZRWxeuyFaYQ6hdBnfV8JC1Fa6fEfL3ZkrdZhErdZgJBhq
XRMMlWhK6mYRK3WYRK3WYmKeeEe6EJTpMaRMMlbrMIloGKmhJctZsgkGDJCSZ4I6UgTamkc1YKwOcxnIU0jqZg/VoTBSDCNE
1Q1cMGSCQYMkITpGrdZgLjRJW6zASDBkgkGxU6zCJW4Dd1mESt1mAkGDQ1THHLdZf4Tdy8GV1F8Z1xCxQti4hYrYSAS2UXxn
ZRfGdb7/HjOuH8/itIEtlF8Z2UXiLHWUXxalaV1F8Z1xCxWkFDVL4zswi/i/GdlF8Z1xCwkda4hYrYSAS2UXxnZRfGdqezQ0
gS2p7NDSBLZRfGdlE+7AYnLwWKWldRfGdcQsVpKmgsVpAhqiNMy72qZiXe1TMRpm6pmJa5D72MxLvapmJd7S0Sku9ql3Ur33
vYzEu9qmYjTN1TMS1yH3sZiXe1TMS73dqrX3tYu6le+97GYl3tUzKG63sZiWuQ+9jMS72qZiXeq3CxLvapd1K9972MxLvapm
LZjaxmJa5D72MxLvapmJeCiQmJd7VLwCMFh70zz0zz0zz008HiFWWfoIPTPPTPPTPPTPPTTweIVZZ+gg9M89M89M89M89NPB
4hVln6CD0zz0zz0zz0zz1aMqw96Z6gg9M89M89M89M89YmsaHvTPUEHpnnpnnpnnpnnrE1jQ96Z6gg9M89M89M89M89WjKsP
emeoIPTPPTPPTPPTPQcebGtrKElIzssxcNloCNXq9XqhTqxq9Xns5Gr1er1er1er1eqFOrGr1eezkavV6vV6vV6vV6oU6sav
V57ORq9Xq9Xq9Xq9Xd9xLY1erz2cjV6vV6vV6vV6u3yh1jV6vPZyNXq9Xq9Xq9Xq7fKHWNXq89nI1er1er1er1ereWYjV6vV
57ORq9Xq9Xq9Xq9UKdWNXq9XZL9xE4icROInETiJxE4icROInETiJxE4icROInETiJxE4icROInETiJxE4icROInETiJxE4i
cROInETiJxE4icROInETiJxE4icROInETiJxE4icROInETiJxE4icROInETiJxE4icROInETiJxE4icROInETiJxE4icROIn
ETiJxE4icROInETiKD+H/3//kAAKAAEAAAGvAAH/k8/8NZ0X0g7g0CJBWyNA/wKBu+BTbvaU08+ZTADI2H0gqJs+PiOSAKAR
JkSKiSComz4QVE2fAMjYe+JOP5BUTZ8IJsR4o2tFX85XINw4g1QIPWK9HYvNL/r/dv8IR4cQamIbhxBqfbRaHw7v1qL3UXoF
rwXlwPSA0WMi4CEyEbQdZSg91F6A+DJY+eeyCplj+rXcrvOPZnSM1x71tOUZtH4PnnszpGa3ziPDhzNddXxDUxjUCVamvnph
C67dOSsSuKuW42iHTlFHylfK2LKDpzg1utZSTWcTLh4GzC5rWR7nhLQ6Tqe9QkjP/cU1GHzrMBj9rVaRtDSBDk1AtVuwYiGt
/36L4yOmM7LVL9ardgxENahXYHXtmvrl5DQZMy2zV1y8hoMmZbZq65eQ0GTMts1dcvPfElNbd/tKa27/NKa27/aU1t3+0prb
v9pTW3f7Smtu/zSmtrTqTLQEavV6vV6vV6vV6vV6vV6vV6vV6vV6vV6vV6vV6vV6uyX7iJxE4icROInETiJxE4icROInETiJ
xE4icROInETiJxFB/D//f/+QAAoAAgAAAZoAAf+Tz/w1iBFQU6NW5t03TLE92DMCEZs+HlTANriCgBXFEoofroAGR9PzpV+O
mCo6DGiCUxGPI59G9os70iUbZgkmCUyRmBTXpEo2tFuZ5G9rF4N+mgWl6q12TINoufuyc9pTkCB+6jD6pw2i5+6Xo2lm/QNP
Wus/lihfb889pzN353m5QNuPaczW+ce05muPY/qzBlgyGyczW+cd2WLUQ6hdBns+S1KbHfaafJNAEhhKtMIdQugz29OPmrua
tdN4eWYP7jZg/uOmrpeI9xswsTIvcbMH9xswgBObIdJjSJ6tflUUXUXxnXEOtVrGtrVbCQCWyi+M7KL4z4ESL4zrh4JxLfe1
jMS72qadyX7VMxLXIfexmJd7VMxLuGrSYl3tU6l3LvvTPPTPPTPQcebGtrKEhteyhIss+9M89M9Bx5sa2soSUjOyzFw2WgI1
er1Qp1Y1er1eezkavV6vV6vV6vVCnVjV6vV2S/cROInETiJxE4icROInETiJxE4icROInETiJxE4icROIoP4f/9//5AACgAD
AAAAfwAB/5PP/DG0FABcn6SIAvxOXVHrvA7eNltyCjCzHZLiiekQll4iOqcOLe4QWfUuuf1eaPsZNuoWATAA3H8jCXdq45gm
s4maYGy8GKExnZYScTEts1dcvLpSiy0J68Y1tadSZaAjV6vV2S/cROInETiKD+H/f//Z`,
  'base64',
);

test('16 bits are read as GDAL writes them', async () => {
  const file = bytesOf(deep);
  const { stream, bits, isSigned } = await readJpeg2000(file);
  const one = (await readTileStream(file, stream, { column: 1, row: 1 }))!;
  const samples = await decodeTile(one, { width: 8, height: 8, components: 1, bits, isSigned });
  const wanted = Array.from({ length: 64 }, (_, i) => (32 + (i % 8)) * 1500 + (32 + (i >> 3)) * 100 + 40);
  assert.deepEqual(samples, Uint16Array.from(wanted));
});

const gml = (vectors: readonly string[], position: string): string =>
  `<gml:FeatureCollection><gml:RectifiedGrid srsName="urn:ogc:def:crs:EPSG::25832"><gml:origin><gml:Point><gml:pos>${position}</gml:pos></gml:Point></gml:origin>${vectors
    .map((one) => `<gml:offsetVector srsName="urn:ogc:def:crs:EPSG::25832">${one}</gml:offsetVector>`)
    .join('')}</gml:RectifiedGrid></gml:FeatureCollection>`;

test('its place is that of the GeoTIFF in it, or of GML, whichever axis comes first', async () => {
  const stream = await codestreamOf({ width: 16, height: 16, bands: 1, sample });
  const place = { keys: keysOf(25_832), scale: [2, 2], tie: [0, 0, 0, 500_000, 5_500_000, 0] } as const;
  const placeOf = async (more: Parameters<typeof jp2Of>[1]) => {
    const { crs, transform } = await placeOfJpeg2000(await readJpeg2000(bytesOf(jp2Of(stream, more))));
    return [crs.text, transform?.matrix];
  };
  const wanted = ['EPSG:25832', [2, 0, 500_000, 0, -2, 5_500_000]];
  assert.deepEqual(await placeOf({ place }), wanted);
  assert.deepEqual(await placeOf({ gml: gml(['2 0', '0 -2'], '500001 5499999') }), wanted);
  assert.deepEqual(await placeOf({ gml: gml(['0 2', '-2 0'], '5499999 500001') }), wanted);
  assert.deepEqual(await placeOf({}), [undefined, undefined]);
  assert.equal(readGmlPlace(gml(['2 0', '4 0'], '1 1')).transform, undefined);
});

test('palette and alpha are read', async () => {
  const grey = await codestreamOf({ width: 8, height: 8, bands: 1, sample });
  const pclr = [0, 2, 3, 7, 7, 7, 255, 0, 0, 0, 0, 255];
  const { palette } = await readJpeg2000(bytesOf(jp2Of(grey, { more: { pclr } })));
  assert.deepEqual([palette![0], palette![1], palette![513]], [65_535, 0, 65_535]);
  const rgba = await codestreamOf({ width: 8, height: 8, bands: 4, sample });
  const cdef = [0, 2, 0, 0, 0, 0, 0, 1, 0, 3, 0, 1, 0, 0];
  const { alphaBand } = await readJpeg2000(bytesOf(jp2Of(rgba, { more: { cdef } })));
  assert.equal(alphaBand, 3);
});

test('what is cut off, lies of its size, or is not read here is refused with the reason', async () => {
  const whole = await codestreamOf({ width: 64, height: 64, bands: 1, tile: 32, sample });
  const refused = async (change: (bytes: Buffer) => Buffer | void): Promise<string> => {
    const copy = Buffer.from(whole);
    const bytes = change(copy) ?? copy;
    return readJpeg2000(bytesOf(bytes)).then(
      () => 'read',
      (error: unknown) => {
        assert.ok(error instanceof BytesError, String(error));
        return error.message;
      },
    );
  };
  assert.match(await refused((bytes) => bytes.subarray(0, -40)), /cut off/);
  assert.match(await refused((bytes) => void bytes.writeUInt32BE(2 ** 31, 8)), /size/);
  const large = (bytes: Buffer): void => {
    for (const at of [8, 12, 24, 28]) bytes.writeUInt32BE(60_000, at);
  };
  assert.match(await refused(large), /60000 × 60000 pixels, more than its bytes can hold/);
  assert.match(await refused((bytes) => void bytes.writeUInt8(31, 42)), /32 bits/);
  assert.match(await refused((bytes) => void bytes.writeUInt8(2, 43)), /resolutions/);
  assert.match(
    await refused((bytes) => Buffer.concat([Buffer.from('\0\0\0\x0cjP  '), bytes])),
    /no picture|damaged/,
  );
});
