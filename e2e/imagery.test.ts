import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { findCrs } from '@platen/formats/crs/find-crs';
import { keysOf, writeTiff } from '@platen/formats/geotiff/testing';
import { findChromium, howToGetIt } from './chromium.ts';
import { openDemPage } from './testing-dem-page.ts';
import { showMap } from './testing-engines.ts';
import { openGlobeApp, type Colour } from './testing-globe-app.ts';
import { untilColours, type Place } from './testing-map-colours.ts';
import { newProject, runSuggestedTask, runTask, upload } from './testing-jobs.ts';
import { sharedBrowser, sharedService } from './testing-shared.ts';

const [width, height] = [600, 400];
const colour = { r: 200, g: 120, b: 40 };

/** Half a metre a pixel, in UTM 32. */
const worldFile = ['0.5', '0', '0', '-0.5', '500000.25', '5499999.75'].join('\n');
const utm =
  'PROJCS["ETRS89 / UTM zone 32N",GEOGCS["ETRS89",DATUM["European_Terrestrial_Reference_System_1989",SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1],AUTHORITY["EPSG","25832"]]';

test('a folder of images with world files beside them becomes one mosaic of tiles', async () => {
  const bucket = await newProject('Imagery');
  for (const [name, left] of [
    ['west', '500000.25'],
    ['east', '500300.25'],
  ])
    await upload(bucket, {
      [`sheets/${name}.jpg`]: await photo(),
      [`sheets/${name}.JGW`]: worldFile.replace('500000.25', left!),
      [`sheets/${name}.prj`]: utm,
    });
  const input = [{ type: 'internal', dataBucketId: bucket.dataBucketId, dataBucketKey: 'sheets/' }];
  const { datasource } = await runTask(bucket.projectId, 'platenTilesImagery', { input });
  const { bbox, properties } = datasource;
  assert.equal(properties!['sheetCount'], 2);
  // 600 m, of which a degree of longitude at 49.65° has 72 km
  assert.ok(Math.abs(bbox![2]! - bbox![0]! - 600 / 72_200) < 1e-4, String(bbox));
});

test('an aerial image with a world file beside it becomes tiles by the task that its inspection suggests', async () => {
  const { url, token } = await sharedService();
  const bucket = await newProject('Imagery');
  await upload(bucket, { 'aerial.jpg': await photo(), 'aerial.jgw': worldFile, 'aerial.prj': utm });
  const { datasourceId, datasource } = await runSuggestedTask(bucket, 'aerial.jpg', 'platenTilesImagery');
  const { type, bbox, properties } = datasource;
  assert.equal(type, 'tms');
  const headers = { authorization: `Bearer ${token}` };
  const get = (path: string) => fetch(`${url}/data/${datasourceId}/${path}`, { headers });
  const described = (await (await get('tiles.json')).json()) as { maxzoom: number };
  const zoom = Number(properties!['maxZoom']);
  assert.equal(described.maxzoom, zoom);
  const [lon, lat] = [(bbox![0]! + bbox![2]!) / 2, (bbox![1]! + bbox![3]!) / 2];
  const x = Math.floor(((lon + 180) / 360) * 2 ** zoom);
  const y = Math.floor((0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** zoom);
  const tile = await get(`xyz/${zoom}/${x}/${y}.png`);
  assert.equal(tile.headers.get('content-type'), 'image/jpeg');
  assert.ok((await distanceTo(await tile.bytes())) < 4);
  const edge = await get('xyz/0/0/0.png');
  assert.equal(edge.headers.get('content-type'), 'image/png', 'what is transparent is no JPEG');
  for (const path of ['tilemapresource.xml', 'WMTSCapabilities.xml', 'thumbnail.png'])
    assert.equal((await get(path)).status, 200, path);
});

const executable = findChromium();

test(
  'a raster DEM gives MapLibre the heights as they are, and its hillshade shows them',
  { skip: executable === undefined && howToGetIt, timeout: 300_000 },
  async (t) => {
    const service = await sharedService();
    const bucket = await newProject('Heights');
    const rows = Array.from({ length: 200 }, (_, row) =>
      Array.from({ length: 200 }, (_cell, column) => demAt(column, row).toFixed(1)).join(' '),
    );
    const head = 'ncols 200\nnrows 200\nxllcorner 11\nyllcorner 49\ncellsize 0.001\n';
    await upload(bucket, { 'hills.asc': head + rows.join('\n'), 'hills.prj': 'EPSG:4326' });
    const input = ['hills.asc', 'hills.prj'].map((dataBucketKey) => ({
      type: 'internal',
      dataBucketId: bucket.dataBucketId,
      dataBucketKey,
    }));
    const options = { input, heights: { vertical: 'ellipsoid' }, output: { kind: 'rasterDem' } };
    const { datasourceId } = await runTask(bucket.projectId, 'platenTilesTerrain', options);
    const browser = await sharedBrowser(executable!, { map: true });
    const size = { width: 300, height: 220 };
    const center = [11.1, 49.1] as const;
    const opened = await openDemPage(browser, { service, datasourceId, size, center, zoom: 11 });
    t.after(() => opened.close());
    const heights = await opened.page.evaluate(
      (places) => {
        interface Map {
          queryTerrainElevation(place: readonly number[]): number | null;
          getCameraTargetElevation(): number;
        }
        const { map } = globalThis as unknown as { map: Map };
        return places.map((place) => map.queryTerrainElevation(place));
      },
      [center, [11.06, 49.1], [11.14, 49.1]],
    );
    // the style of the page doubles heights
    for (const [i, column] of [99.5, 59.5, 139.5].entries()) {
      const expected = demAt(column, 99.5);
      assert.ok(Math.abs(heights[i]! / 2 - expected) < 3, `${heights[i]! / 2} instead of ${expected}`);
    }
    const { channels } = await sharp(await opened.page.screenshot()).stats();
    assert.ok(channels[0]!.stdev > 4, `${channels[0]!.stdev}: the picture has light and shade`);
  },
);

test(
  'a COG for maps has every colour in its place on the globe and on the flat map, and shows what is below around it',
  { skip: executable === undefined && howToGetIt, timeout: 400_000 },
  async (t) => {
    const { client } = await sharedService();
    const bucket = await newProject('Fields');
    const { projectId, dataBucketId } = bucket;
    await upload(bucket, { 'fields.tif': fields() });
    const input = { type: 'internal', dataBucketId, dataBucketKey: 'fields.tif' };
    const { datasourceId, datasource } = await runTask(projectId, 'platenConvertRaster', { input });
    assert.equal(datasource.type, 'cog');
    const config = await client.getProjectDatasourceConfig({ params: { projectId, datasourceId } });
    const browser = await sharedBrowser(executable!, { map: true });
    const { page, seen, close } = await openGlobeApp(browser, {
      projectId,
      module: {
        maps: [
          { type: 'CesiumMap', name: 'globe' },
          { type: 'OpenlayersMap', name: 'plane' },
        ],
        layers: [{ ...config, name: 'fields', activeOnStartup: true }],
      },
      groundPosition: [...placeOf(300, 200), 0],
      distance: 600,
      pitch: -90,
    });
    t.after(close);
    await page.locator('#poster').waitFor({ state: 'detached' });
    const places = [...shownPlaces, ...hiddenPlaces];
    for (const map of ['globe', 'plane']) {
      await page.evaluate(showMap, map);
      await untilColours(
        page,
        places.map(([right, down]) => placeOf(right, down)),
        (colour, i) => isNear(colour, i < shownPlaces.length ? fieldAt(...places[i]!) : land),
      );
    }
    assert.deepEqual(seen.complaints, []);
  },
);

const fieldSide = 100;
/** Of the only field that is transparent, in columns and rows of fields. */
const hole = [2, 1];

/** Red, green and blue of a field by its pixels. */
const fieldAt = (right: number, down: number): Colour => [
  Math.floor(right / fieldSide) * 36,
  Math.floor(down / fieldSide) * 60,
  120,
];

/** The middles of all fields that are shown, and two places near corners. */
const shownPlaces: readonly Pixel[] = [
  ...Array.from({ length: 24 }, (_, i) => [i % 6, Math.floor(i / 6)] as const)
    .filter(([column, row]) => column !== hole[0] || row !== hole[1])
    .map(([column, row]): Pixel => [(column + 0.5) * fieldSide, (row + 0.5) * fieldSide]),
  [20, 20],
  [580, 380],
];
/** The middle of the hole, and places beside all edges and corners. */
const hiddenPlaces: readonly Pixel[] = [
  [250, 150],
  [-20, 200],
  [620, 200],
  [300, -20],
  [300, 420],
  [-20, -20],
  [620, 420],
];
/** Of the base map. */
const land: Colour = [244, 240, 229];

type Pixel = readonly [right: number, down: number];

/** An orthophoto in UTM 32 with an alpha channel. */
function fields(): Buffer {
  const isShown = (right: number, down: number) =>
    Math.floor(right / fieldSide) !== hole[0] || Math.floor(down / fieldSide) !== hole[1];
  const image = {
    width: 600,
    height: 400,
    bands: 4,
    photometric: 2,
    extraSamples: [2],
    sample: (right: number, down: number, band: number) =>
      band < 3 ? fieldAt(right, down)[band]! : isShown(right, down) ? 255 : 0,
  };
  return writeTiff({
    images: [image],
    keys: keysOf(25832),
    scale: [0.5, 0.5],
    tie: [0, 0, 0, 500_000, 5_500_000, 0],
  });
}

/** A place of that image. */
function placeOf(right: number, down: number): Place {
  const position = Float64Array.of(500_000 + right / 2, 5_500_000 - down / 2);
  findCrs('EPSG:25832').toLonLat(position, 1);
  return [position[0]!, position[1]!];
}

/** But for the losses of JPEG, and of the globe that the tests draw. */
const isNear = (actual: Colour, wanted: Colour): boolean =>
  wanted.every((value, band) => Math.abs(value - actual[band]!) < 13);

/** Ridges from north to south that rise to the east, in metres. */
const demAt = (column: number, row: number): number => 500 + column + 200 * Math.sin(column / 25) + row / 10;

const photo = (): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: colour } })
    .jpeg()
    .toBuffer();

/** Of the middle of an image to the colour of the photo. */
async function distanceTo(bytes: Uint8Array): Promise<number> {
  const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (128 * 256 + 128) * 3;
  const off = [data[at]! - colour.r, data[at + 1]! - colour.g, data[at + 2]! - colour.b].map(Math.abs);
  return Math.max(...off);
}
