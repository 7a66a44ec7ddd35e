import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Geoid } from './geoid.ts';
import { openShippedGrid } from './shipped-grid-file.ts';
import { egm96, nationalGrids, type ShippedGrid } from './shipped-grids.ts';
import { writeGtx } from './testing-grids.ts';

/** The grids of PROJ's collection that ours are packed from. */
const sources: readonly (readonly [string, ShippedGrid])[] = [
  ['us_nga_egm96_15.tif', egm96],
  ...[
    'de_bkg_gcg2016.tif',
    'at_bev_GV_Hoehengrid_plus_Geoid_V2.tif',
    'ch_swisstopo_chgeo2004_ETRS89_LN02.tif',
    'nl_nsgi_nlgeo2018.tif',
    'be_ign_hBG18.tif',
    'fr_ign_RAF20.tif',
    'es_ign_egm08-rednap.tif',
    'uk_os_OSGM15_GB.tif',
    'pl_gugik_geoid2021-PL-EVRF2007-NH.tif',
  ].map((name, i) => [name, nationalGrids[i]!] as const),
];

test('two hundred undulations are those of PROJ with the original grids, to a millimetre, of EGM96 to half a centimetre', async () => {
  const text = await readFile(new URL('proj-undulations.tsv', import.meta.url), 'utf8');
  const lines = text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));
  assert.equal(lines.length, 200);
  for (const [source, shipped] of sources) {
    const own = lines.filter(([name]) => name === source).map((cells) => cells.slice(1).map(Number));
    assert.equal(own.length, 20, source);
    const geoid = new Geoid(await openShippedGrid(shipped));
    const points = Float64Array.from(own.flatMap(([lon, lat]) => [lon!, lat!, 0]));
    assert.equal(geoid.toEllipsoid(points, own.length), 0, source);
    for (const [i, [lon, lat, metres]] of own.entries()) {
      const deviation = Math.abs(points[3 * i + 2]! - metres!);
      assert.ok(deviation <= (shipped === egm96 ? 0.0051 : 0.0006), `${source} ${lon} ${lat}: ${deviation}`);
      assert.ok(Math.abs(geoid.undulation(lon!, lat!) - points[3 * i + 2]!) < 1e-9);
    }
  }
});

const hasProj = spawnSync('gdaltransform', ['--version']).status === 0;

test(
  'PROJ interpolates our own grids as we do, to a tenth of a millimetre',
  { skip: !hasProj && 'gdaltransform (gdal-bin) is not installed' },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-geoid-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    for (const shipped of [egm96, nationalGrids[0]!, nationalGrids[7]!]) {
      const grid = await openShippedGrid(shipped);
      await writeFile(join(folder, 'grid.gtx'), writeGtx(grid));
      const [west, south, east, north] = shipped.area;
      const places = Array.from({ length: 200 }, (_, i) => [
        west + ((i * 0.618_034) % 1) * (east - west),
        south + ((i * 0.754_878) % 1) * (north - south),
      ]);
      const geoid = new Geoid(grid);
      const expected = await undulationsOfProj(join(folder, 'grid.gtx'), places);
      let compared = 0;
      for (const [i, [lon, lat]] of places.entries()) {
        const own = geoid.undulation(lon!, lat!);
        if (Number.isNaN(own)) continue; // next to a node without a value, PROJ takes the mean of the others
        compared++;
        assert.ok(
          Math.abs(own - expected[i]!) < 1e-4,
          `${shipped.name} ${lon} ${lat}: ${own}, ${expected[i]}`,
        );
      }
      assert.ok(compared > 100, `${compared} of ${shipped.name}`);
    }
  },
);

async function undulationsOfProj(grid: string, places: readonly number[][]): Promise<number[]> {
  const pipeline = `+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=vgridshift +grids=${grid} +multiplier=1 +step +proj=unitconvert +xy_in=rad +xy_out=deg`;
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile('gdaltransform', ['-ct', pipeline], (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
    child.stdin!.end(places.map((place) => `${place.join(' ')} 0\n`).join(''));
  });
  return output
    .trim()
    .split('\n')
    .map((line) => Number(line.split(' ')[2]));
}
