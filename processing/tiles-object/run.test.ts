import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { findCrs } from '@platen/formats/crs/find-crs';
import { geocentricOf } from '@platen/geo/geodesy/geocentric';
import { afterFile } from '../../checks/clean-up.ts';
import { openObjectTests } from './testing.ts';
import { cityGml, houseXml, housesInRows, type SampleHouse } from './testing-models.ts';
import { areasOf, decodeGlb, eachTile, onlyTile, verticesOf, type TileJson } from './testing-tileset.ts';

const tests = await openObjectTests();
afterFile(tests.remove);

const folder = { output: { format: 'folder' } } as const;
const asGiven = { heights: { mode: 'asGiven' } } as const;

/** The corners of a house in EPSG:4978, by the exact transformation. */
function cornersOf({
  at: [x, y, z],
  size: [dx, dy, dz] = [10, 8, 6],
}: SampleHouse): [number, number, number][] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((i) => {
    const place = Float64Array.of(x + (i & 1) * dx, y + ((i >> 1) & 1) * dy);
    findCrs('EPSG:25832').toLonLat(place, 1);
    return geocentricOf(place[0]!, place[1]!, z + (i >> 2) * dz);
  });
}

test('houses stand within a centimetre of the exact transformation, whole, and with their attributes', async () => {
  const houses = housesInRows(4);
  const input = await tests.put('houses.gml', cityGml(houses.map(houseXml).join('')));
  const { result, outputFolder, warnings, rejects } = await tests.run([input], { ...folder, ...asGiven });
  assert.deepEqual([warnings, rejects], [[], []]);
  assert.equal(result.datasource!.type, 'tileset');
  assert.equal(result.datasource!.properties['featureCount'], 4);
  assert.equal(result.datasource!.properties['triangleCount'], 4 * 12);
  const fields = result.datasource!.properties['fields'] as {
    readonly name: string;
    readonly title?: string;
  }[];
  assert.deepEqual(
    fields.filter(({ name }) => name !== 'id' && name !== 'Strasse'),
    [
      { name: 'class', type: 'string', completeness: 1, count: 1, values: ['Building'] },
      {
        name: 'measuredHeight',
        type: 'number',
        min: 6,
        max: 6.75,
        completeness: 1,
        count: 4,
        values: [6, 6.25, 6.5, 6.75],
        quantiles: Array.from({ length: 51 }, (_, i) => 6 + Math.round((i * 3) / 50) / 4),
      },
      {
        name: 'storeysAboveGround',
        type: 'integer',
        min: 1,
        max: 3,
        completeness: 1,
        count: 3,
        values: [1, 2, 3],
        quantiles: Array.from({ length: 51 }, (_, i) => [1, 1, 2, 3][Math.round((i * 3) / 50)]),
      },
    ],
    'styles choose colours by these',
  );
  const street = fields.find(({ name }) => name === 'Strasse');
  assert.equal(street?.title, 'Straße', 'viewers know it by its id, people by its name');
  const decoded = await onlyTile(outputFolder);
  assert.deepEqual(
    decoded.rows,
    houses.map(({ id }, i) => ({
      id,
      class: 'Building',
      Straße: `Gasse ${i}`,
      measuredHeight: 6 + (i % 5) / 4,
      storeysAboveGround: 1 + (i % 3),
    })),
  );
  const corners = houses.flatMap(cornersOf);
  for (const { places } of decoded.primitives) {
    for (const [x, y, z] of places) {
      const off = Math.min(
        ...corners.map((corner) => Math.hypot(corner[0] - x, corner[1] - y, corner[2] - z)),
      );
      assert.ok(off < 0.01, `${off} m`);
    }
  }
  // UTM is shorter than the ground by 0.4 per mille at its meridian
  const expected = 2 * (10 * 8 + 10 * 6 + 8 * 6);
  for (const area of areasOf(decoded).values()) assert.ok(Math.abs(area / expected - 1) < 0.005, `${area}`);
});

test('heights above sea level become heights above the ellipsoid, and flat models stand on it', async () => {
  const input = await tests.put('one.gml', cityGml(houseXml(housesInRows(1)[0]!)));
  const lowestOf = async (options: object): Promise<number> => {
    const { outputFolder } = await tests.run([input], { ...folder, ...options });
    const decoded = await onlyTile(outputFolder);
    return Math.min(...verticesOf(decoded).map(([, , height]) => height));
  };
  const undulation = (await lowestOf({})) - 100;
  assert.ok(undulation > 44 && undulation < 50, `${undulation} m`);
  assert.ok(Math.abs((await lowestOf(asGiven)) - 100) < 0.01);
  assert.ok(Math.abs(await lowestOf({ heights: { mode: 'flat' } })) < 0.01);
  assert.ok(Math.abs((await lowestOf({ heights: { mode: 'flat', offset: 3 } })) - 3) < 0.01);
  const road = await tests.put(
    'road.gml',
    cityGml(houseXml({ id: 'road', at: [500_000, 5_500_000, 100], size: [90, 8, 0.4] })),
  );
  const { outputFolder } = await tests.run([road], { ...folder, heights: { mode: 'flat' } });
  const heights = verticesOf(await onlyTile(outputFolder)).map(([, , height]) => height);
  assert.ok(Math.abs(Math.min(...heights) - 0.2) < 0.01, 'the globe would cover what lies on the ellipsoid');
});

test('each house is in one leaf, tiles enclose those below, and errors grow upwards', async () => {
  const houses = housesInRows(900).map(({ id, at }, i) => ({ id, at, size: [4 + (i % 13), 8, 6] as const }));
  const input = await tests.put('rows.gml', cityGml(houses.map(houseXml).join('')));
  const { outputFolder, result } = await tests.run([input], {
    ...folder,
    ...asGiven,
    tiling: { triangles: 1000, features: 50 },
  });
  const ids: unknown[] = [];
  const above = new Map<TileJson, ReadonlySet<unknown>>();
  const parents = new Map<TileJson, TileJson>();
  await eachTile(join(outputFolder, 'tileset'), async (tile, parent) => {
    if (parent !== undefined) {
      parents.set(tile, parent);
      assert.ok(parent.geometricError >= tile.geometricError);
      const [outer, inner] = [parent.boundingVolume.region, tile.boundingVolume.region];
      for (const i of [0, 1, 4]) assert.ok(outer[i]! <= inner[i]!, `side ${i}`);
      for (const i of [2, 3, 5]) assert.ok(outer[i]! >= inner[i]!, `side ${i}`);
    }
    if (tile.content === undefined) return;
    const decoded = await decodeGlb(await readFile(join(outputFolder, 'tileset', tile.content.uri)));
    const [west, south, east, north, lowest, highest] = tile.boundingVolume.region;
    for (const [lon, lat, height] of verticesOf(decoded)) {
      const [x, y] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
      assert.ok(x >= west && x <= east && y >= south && y <= north && height >= lowest && height <= highest);
    }
    const triangles = decoded.primitives.reduce((sum, { indices }) => sum + indices.length / 3, 0);
    assert.ok(triangles <= 1000 && decoded.rows.length > 0);
    const own = decoded.rows.map(({ id }) => id);
    if (tile.children !== undefined) above.set(tile, new Set(own));
    else {
      ids.push(...own);
      for (let up = parents.get(tile); up !== undefined; up = parents.get(up)) {
        for (const id of own) {
          if (above.get(up)?.has(id) !== false) continue;
          const [x, y, z] = houses[Number(String(id).slice('house_'.length))]!.size;
          // viewers refine at an error of 16 pixels, where it would cover 16 pixels
          assert.ok(up.geometricError >= 4 * Math.sqrt(Math.hypot(x * y, y * z, z * x)) - 0.1);
        }
      }
    }
  });
  assert.deepEqual(new Set(ids), new Set(houses.map(({ id }) => id)));
  assert.equal(ids.length, houses.length);
  assert.ok(above.size > 1, `${above.size} tiles with others below`);
  assert.ok(
    [...above.values()].every((some) => some.size < 100),
    'some houses are left out',
  );
  assert.equal(result.datasource!.properties['featureCount'], 900);
});

test('the bytes do not depend on the number of threads', async () => {
  const inputs = await Promise.all(
    [0, 1, 2].map((part) =>
      tests.put(
        `part-${part}.gml`,
        cityGml(
          housesInRows(300)
            .slice(part * 100, part * 100 + 100)
            .map(houseXml)
            .join(''),
        ),
      ),
    ),
  );
  const tiling = { features: 40 };
  const [one, several] = await Promise.all(
    [1, 3].map(async (workers) => {
      const { outputFolder } = await tests.run(inputs, { tiling, processing: { workers } });
      return readFile(join(outputFolder, 'tileset.3tz'));
    }),
  );
  assert.ok(one!.equals(several!));
});

test('3D Tiles 1.0 are b3dm with ids and attributes', async () => {
  const input = await tests.put('old.gml', cityGml(housesInRows(2).map(houseXml).join('')));
  const { outputFolder } = await tests.run([input], {
    output: { format: 'folder', version: '1.0' },
    ...asGiven,
  });
  const tiles: Buffer[] = [];
  await eachTile(join(outputFolder, 'tileset'), async ({ content }) => {
    tiles.push(await readFile(join(outputFolder, 'tileset', content!.uri)));
  });
  const [tile] = tiles as [Buffer];
  assert.equal(tile.toString('latin1', 0, 4), 'b3dm');
  const [features, batch] = [tile.readUInt32LE(12), tile.readUInt32LE(20)];
  assert.deepEqual(JSON.parse(tile.toString('utf8', 28, 28 + features)), { BATCH_LENGTH: 2 });
  const table = JSON.parse(tile.toString('utf8', 28 + features, 28 + features + batch)) as object;
  assert.deepEqual(table, {
    id: ['house_0', 'house_1'],
    class: ['Building', 'Building'],
    Straße: ['Gasse 0', 'Gasse 1'],
    measuredHeight: [6, 6.25],
    storeysAboveGround: [1, 2],
    attributes: [0, 1].map((i) => ({
      class: 'Building',
      Straße: `Gasse ${i}`,
      measuredHeight: 6 + i / 4,
      storeysAboveGround: 1 + i,
    })),
  });
  const decoded = await decodeGlb(tile.subarray(28 + features + batch));
  assert.deepEqual(decoded.json.extensionsUsed, undefined);
  const corners = housesInRows(2).flatMap(cornersOf);
  for (const [x, y, z] of decoded.primitives.flatMap(({ places }) => places))
    assert.ok(corners.some((corner) => Math.hypot(corner[0] - x, corner[1] - y, corner[2] - z) < 0.01));
});

test('what cannot be used is refused, left out or set aside, and said', async () => {
  const broken = await tests.put('broken.gml', cityGml(houseXml(housesInRows(1)[0]!)).slice(0, 1500));
  await assert.rejects(tests.run([broken]), { code: 'truncatedFile', message: /broken\.gml: the file ends/ });
  const whole = await tests.put('whole.gml', cityGml(houseXml(housesInRows(1)[0]!)));
  const { result, warnings } = await tests.run([broken, whole]);
  assert.equal(result.datasource!.properties['featureCount'], 1);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['unreadableModels'],
  );
  await assert.rejects(tests.run([broken, whole], { processing: { strict: true } }), {
    code: 'truncatedFile',
  });
  const nowhere = await tests.put('nowhere.gml', cityGml(houseXml(housesInRows(1)[0]!), ''));
  await assert.rejects(tests.run([nowhere]), { code: 'unknownCrs' });
  const text = await tests.put('notes.txt', 'no model');
  await assert.rejects(tests.run([text]), { code: 'notRecognised' });
  const empty = await tests.put(
    'empty.gml',
    cityGml('<core:cityObjectMember><bldg:Building gml:id="a"/></core:cityObjectMember>'),
  );
  await assert.rejects(tests.run([empty]), { code: 'nothingUsable' });
});

test('the same house twice is one, houses far away are left out, and houses without id get one', async () => {
  const houses = housesInRows(20);
  const far: SampleHouse = { id: 'far', at: [600_000, 5_900_000, 0] };
  const anonymous = houseXml({ id: 'x', at: [500_500, 5_500_000, 0] }).replace(
    '<bldg:Building gml:id="x">',
    '<bldg:Building>',
  );
  const other: SampleHouse = { ...houses[3]!, at: [500_700, 5_500_000, 0] };
  const members = [...houses, far, houses[0]!, other].map(houseXml).join('') + anonymous;
  const { outputFolder, warnings } = await tests.run([await tests.put('twice.gml', cityGml(members))], {
    ...folder,
    ...asGiven,
  });
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['repeatedIds', 'farAwayObjects'],
  );
  const decoded = await onlyTile(outputFolder);
  const ids = decoded.rows.map(({ id }) => String(id)).toSorted();
  assert.equal(ids.length, 21);
  assert.match(ids[0]!, /^Building_[0-9a-f]{12}$/);
});

test('a filter chooses objects by class and attributes, and attributes are computed and converted', async () => {
  const input = await tests.put('houses.gml', cityGml(housesInRows(6).map(houseXml).join('')));
  const modelOptions = {
    filter: ['all', ['==', ['get', 'class'], 'Building'], ['>', ['get', 'storeysAboveGround'], 1]],
    include: ['Straße'],
    attributes: { metresPerStorey: ['/', ['get', 'measuredHeight'], ['get', 'storeysAboveGround']] },
    types: { metresPerStorey: 'string' },
  } as const;
  const { outputFolder, warnings } = await tests.run([input], {
    ...folder,
    ...asGiven,
    modelOptions,
  } as never);
  assert.deepEqual(warnings, []);
  const { rows } = await onlyTile(outputFolder);
  assert.deepEqual(
    rows.map((row) => Object.entries(row).filter(([name]) => name !== 'id')),
    [1, 2, 4, 5].map((i) => [
      ['class', 'Building'],
      ['Straße', `Gasse ${i}`],
      ['metresPerStorey', String((6 + (i % 5) / 4) / (1 + (i % 3)))],
    ]),
  );
});

test('a wrong expression ends the job at once, and a filter that no object passes is named', async () => {
  const input = await tests.put('houses.gml', cityGml(housesInRows(1).map(houseXml).join('')));
  const run = (filter: unknown) => tests.run([input], { ...folder, ...asGiven, modelOptions: { filter } });
  await assert.rejects(run(['gat', 'class']), /\/modelOptions\/filter\/0: Unknown expression "gat"/);
  await assert.rejects(run(['==', ['get', 'class'], 'Bridge']), /the filter leaves all of them out/);
});
