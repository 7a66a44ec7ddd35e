// Makes the files of formats/geoid/grids: node formats/geoid/packing/pack-grids.ts FOLDER
// FOLDER holds the GeoTIFF grids of PROJ's collection (https://cdn.proj.org) that `sources` names.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openFile } from '../../bytes/open-file.ts';
import { readGeoTiffGrid } from '../read-geotiff-grid.ts';
import { egm96, nationalGrids } from '../shipped-grids.ts';
import { packGrid } from './pack-grid.ts';

const sources: Readonly<Record<string, string>> = {
  EGM96: 'us_nga_egm96_15.tif',
  GCG2016: 'de_bkg_gcg2016.tif',
  'GV-Höhengrid plus Geoid V2': 'at_bev_GV_Hoehengrid_plus_Geoid_V2.tif',
  'CHGeo2004 (LN02)': 'ch_swisstopo_chgeo2004_ETRS89_LN02.tif',
  NLGEO2018: 'nl_nsgi_nlgeo2018.tif',
  hBG18: 'be_ign_hBG18.tif',
  RAF20: 'fr_ign_RAF20.tif',
  'EGM08-REDNAP': 'es_ign_egm08-rednap.tif',
  OSGM15: 'uk_os_OSGM15_GB.tif',
  'PL-geoid2021': 'pl_gugik_geoid2021-PL-EVRF2007-NH.tif',
};

/** EGM96 is accurate to a metre: a centimetre saves a third of its size. */
const unitMetres = { world: 0.01, national: 0.001 };

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder with the GeoTIFF grids of PROJ.');
let total = 0;
for (const { name, file } of [egm96, ...nationalGrids]) {
  const source = await openFile(join(folder, sources[name]!));
  const grid = await readGeoTiffGrid(source);
  await source.close();
  const bytes = packGrid(grid, name === egm96.name ? unitMetres.world : unitMetres.national);
  await writeFile(new URL(`../grids/${file}`, import.meta.url), bytes);
  process.stdout.write(`${file}: ${bytes.length} bytes\n`);
  total += bytes.length;
}
process.stdout.write(`${total} bytes together\n`);
