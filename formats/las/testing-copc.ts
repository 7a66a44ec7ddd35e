import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wktRecord, writeLas, type WrittenPoint } from './testing.ts';

/**
 * golden/garden.copc.laz holds the points of `writeGarden()`, divided into an octree of three levels whose hierarchy
 * has two pages, and packed by copc-lib 2.6.3. Points, colours and place are made up: there is no data of others in it.
 */
export const readGardenCopc = (): Promise<Buffer> =>
  readFile(join(import.meta.dirname, 'golden/garden.copc.laz'));

const side = 90;
export const gardenPoints = side * side;
/** UTM zone 32N, ETRS89. */
const corner = { x: 690_400, y: 5_540_000 };

const wkt =
  'COMPD_CS["ETRS89 / UTM zone 32N + DHHN2016 height",PROJCS["ETRS89 / UTM zone 32N",GEOGCS["ETRS89",DATUM["European_Terrestrial_Reference_System_1989",SPHEROID["GRS 1980",6378137,298.257222101,AUTHORITY["EPSG","7019"]],AUTHORITY["EPSG","6258"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4258"]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1,AUTHORITY["EPSG","9001"]],AXIS["Easting",EAST],AXIS["Northing",NORTH],AUTHORITY["EPSG","25832"]],VERT_CS["DHHN2016 height",VERT_DATUM["Deutsches Haupthoehennetz 2016",2005,AUTHORITY["EPSG","1170"]],UNIT["metre",1,AUTHORITY["EPSG","9001"]],AXIS["Gravity-related height",UP],AUTHORITY["EPSG","7837"]]]';

/** Green ground of 36 m with trees along its eastern edge, in LAS 1.4. */
export function writeGarden(): Buffer {
  const points = Array.from({ length: gardenPoints }, (_, i): WrittenPoint => {
    const [column, row] = [i % side, Math.floor(i / side)];
    const isTree = column > 70;
    const wave = ((i * 7919) % 97) / 100;
    return {
      x: corner.x + column * 0.4 + (i % 7) / 100,
      y: corner.y + row * 0.4,
      z: 300 + row / 50 + (isTree ? 2 + wave : 0),
      intensity: ((i * 31) % 40) * 100,
      classification: isTree ? 5 : 2,
      colour: [5_000, isTree ? 40_000 : 50_000, 5_000],
    };
  });
  return writeLas({ minor: 4, pointFormat: 7, points, records: [wktRecord(wkt)], isWkt: true });
}
