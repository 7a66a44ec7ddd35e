import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCrs } from '@platen/formats/crs/find-crs';
import type { FreeForm } from '@platen/contract/schema';
import type { Page } from 'playwright-core';
import { afterFile } from '../checks/clean-up.ts';
import { cityGml, polygonXml } from '../processing/tiles-object/testing-models.ts';
import { findChromium, howToGetIt } from './chromium.ts';
import { startTimeoutMs } from './testing-engines.ts';
import { keepPicture, lookAt, openGlobeApp, untilMiddle, type Colour } from './testing-globe-app.ts';
import { newProject, runTask, upload } from './testing-jobs.ts';
import { sharedBrowser } from './testing-shared.ts';

const executable = findChromium();
const skip = executable === undefined && howToGetIt;
const browser = executable === undefined ? undefined : await sharedBrowser(executable, { map: true });
afterFile(() => browser?.close());

const [east, north, ground] = [690_000, 5_540_000, 300];
/** Rising eastwards. */
const slope = 0.1;
const [width, depth, storeys] = [10, 8, 6];
const perSide = 20;
/** Of each wall: fine tiles have so many triangles, coarse ones boxes. */
const pieces = 8;

/** Houses wall to wall, each on the lowest ground beneath it. */
const houses = Array.from({ length: perSide ** 2 }, (_, i) => {
  const [column, row] = [i % perSide, Math.floor(i / perSide)];
  return {
    id: `house_${i}`,
    at: [east + column * width, north + row * depth, ground + column * width * slope] as const,
  };
});

type Corner = readonly [x: number, y: number];

/** A box whose walls are in pieces, as a solid. */
function houseXml({ id, at: [x, y, z] }: (typeof houses)[number]): string {
  const corners: readonly Corner[] = [
    [0, 0],
    [width, 0],
    [width, depth],
    [0, depth],
  ];
  const outline = corners.flatMap((from, i) => {
    const to = corners[(i + 1) % corners.length]!;
    return Array.from({ length: pieces }, (_, k): Corner => [
      x + from[0] + ((to[0] - from[0]) * k) / pieces,
      y + from[1] + ((to[1] - from[1]) * k) / pieces,
    ]);
  });
  const level = (points: readonly Corner[], height: number) =>
    points.map(([px, py]) => [px, py, z + height] as const);
  const walls = outline.map((from, i) => {
    const wall = [from, outline[(i + 1) % outline.length]!];
    return [...level(wall, 0), ...level(wall.toReversed(), storeys)];
  });
  const faces = [level(outline.toReversed(), 0), level(outline, storeys), ...walls];
  const members = faces.map(
    (ring, i) => `<gml:surfaceMember>${polygonXml(`${id}_${i}`, ring)}</gml:surfaceMember>`,
  );
  return `<core:cityObjectMember><bldg:Building gml:id="${id}"><bldg:lod1Solid><gml:Solid><gml:exterior><gml:CompositeSurface>${members.join('')}</gml:CompositeSurface></gml:exterior></gml:Solid></bldg:lod1Solid></bldg:Building></core:cityObjectMember>`;
}

/** Heights above sea level in cells of 10 m, 1 km around the houses. */
function hillside(): string {
  const [cells, cell] = [220, 10];
  const west = east - (cells * cell) / 2;
  const row = Array.from({ length: cells }, (_, i) => ground + (west + (i + 0.5) * cell - east) * slope);
  const head = `ncols ${cells}\nnrows ${cells}\nxllcorner ${west}\nyllcorner ${north - (cells * cell) / 2}\ncellsize ${cell}\n`;
  return (
    head + Array.from({ length: cells }, () => row.map((height) => height.toFixed(2)).join(' ')).join('\n')
  );
}

/** Metres from the middle, and pixels of the square in the middle of the map that the houses cover. */
const views = [
  [120, 150],
  [300, 100],
  [900, 40],
  [3000, 10],
] as const;
/** Of the map, below which are buttons. */
const middleRow = 150;

for (const [name, mode] of [
  ['without terrain', 'flat'],
  ['on terrain', 'ellipsoid'],
] as const)
  test(
    `a block of houses ${name} has no hole from near and far, and stands on the ground`,
    { skip, timeout: 4 * startTimeoutMs },
    async () => {
      const bucket = await newProject('Block');
      const { projectId, dataBucketId } = bucket;
      await upload(bucket, {
        'block.gml': cityGml(houses.map(houseXml).join('')),
        'hill.asc': hillside(),
        'hill.prj': 'EPSG:25832',
      });
      const inputOf = (dataBucketKey: string) => ({ type: 'internal', dataBucketId, dataBucketKey });
      const { datasourceId, datasource } = await runTask(projectId, 'platenTilesObject', {
        input: inputOf('block.gml'),
        heights: { mode },
        tiling: { triangles: 5000 },
        appearance: { unlit: true, colours: { roof: '#d01010', wall: '#b01010' } },
      });
      const layers: FreeForm[] = [
        { type: 'CesiumTilesetLayer', name: 'city', datasourceId, activeOnStartup: true },
      ];
      if (mode === 'ellipsoid') {
        const terrain = await runTask(projectId, 'platenTilesTerrain', {
          input: [inputOf('hill.asc'), inputOf('hill.prj')],
          heights: { vertical: 'EPSG:7837' },
        });
        layers.push({
          type: 'TerrainLayer',
          name: 'hill',
          datasourceId: terrain.datasourceId,
          activeOnStartup: true,
        });
      }
      const { bbox, properties } = datasource;
      const [lowest, highest] = properties!['heightRange'] as [number, number];
      const groundPosition = [
        (bbox![0]! + bbox![2]!) / 2,
        (bbox![1]! + bbox![3]!) / 2,
        (lowest + highest) / 2,
      ];
      const { page, seen, close } = await openGlobeApp(browser!, {
        projectId,
        module: { layers },
        groundPosition,
        distance: views[0][0],
      });
      try {
        for (const [distance, side] of views) {
          await lookAt(page, { groundPosition, distance, heading: 0, pitch: -60, roll: 0, animate: false });
          await untilMiddle(
            page,
            { name: `houses ${name} at ${distance} m`, side, row: middleRow },
            isPainted,
          );
          await keepPicture(page, `houses ${name} at ${distance} m`);
        }
        await lookAt(page, {
          groundPosition,
          distance: 250,
          heading: 0,
          pitch: -20,
          roll: 0,
          animate: false,
        });
        const places = houses.map(({ at }) => placeOf(at[0] + width / 2, at[1] + depth / 2));
        const heights = await groundBeneath(page, places);
        for (const [i, { at }] of houses.entries()) {
          const foot = mode === 'flat' ? 0 : lowest + at[2] - ground;
          const beneath = heights[i]! - foot;
          // the middle of a house is half a metre above its lowest corner
          assert.ok(beneath > -0.1 && beneath < 1.2, `house ${i} is ${beneath} m in the ground`);
        }
        await keepPicture(page, `houses ${name} from the side`);
        assert.deepEqual(seen.complaints, []);
      } finally {
        await close();
      }
    },
  );

const isPainted = ([red, green, blue]: Colour): boolean => red > 140 && green < 60 && blue < 60;

function placeOf(x: number, y: number): readonly number[] {
  const place = Float64Array.of(x, y);
  findCrs('EPSG:25832').toLonLat(place, 1);
  return [...place];
}

interface EngineGlobals {
  readonly vcs: {
    getFirstApp(): {
      readonly maps: {
        readonly activeMap: {
          getScene(): {
            readonly globe: {
              readonly tilesLoaded: boolean;
              getHeight(place: { longitude: number; latitude: number; height: number }): number | undefined;
            };
          };
        };
      };
    };
  };
}

/** Heights of the globe at places in degrees, once it is as fine as the view asks for. */
async function groundBeneath(
  page: Page,
  places: readonly (readonly number[])[],
): Promise<(number | undefined)[]> {
  await page.waitForFunction(
    () =>
      (globalThis as unknown as EngineGlobals).vcs.getFirstApp().maps.activeMap.getScene().globe.tilesLoaded,
    undefined,
    { timeout: startTimeoutMs, polling: 250 },
  );
  return page.evaluate((all) => {
    const { globe } = (globalThis as unknown as EngineGlobals).vcs.getFirstApp().maps.activeMap.getScene();
    return all.map((place) => {
      const [longitude, latitude] = place.map((degrees) => (degrees * Math.PI) / 180) as [number, number];
      return globe.getHeight({ longitude, latitude, height: 0 });
    });
  }, places);
}
