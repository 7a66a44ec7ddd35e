import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findCrs, UnknownCrs } from './find-crs.ts';

/** Farther than 30 m from where PROJ has it, and why that is so. */
const exceptions: Readonly<Record<string, string>> = {
  '24882':
    'PSAD56 off Brazil: the shift of both packages is the mean of South America, 60 m from the local one',
  '5170': 'Tokyo 1892 has no shift in either package: its note says so',
  '54010': 'proj4 iterates Eckert VI less far than PROJ does: 75 m on a map of the world',
};

test('five hundred CRSs of the whole register are where PROJ has them', () => {
  const distances: { code: string; metres: number }[] = [];
  let refused = 0;
  const lines = readFileSync(new URL('proj-pairs.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  for (const line of lines) {
    const [code, lon, lat, x, y, northingFirst] = line.split('\t').map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    try {
      const crs = findCrs(String(code));
      if (code < 37_000) assert.equal(crs.northingFirst, northingFirst === 1, `axes of ${code}`);
      const place = Float64Array.of(x, y);
      crs.toLonLat(place, 1);
      distances.push({
        code: String(code),
        metres: distanceMetres([...place] as [number, number], [lon, lat]),
      });
    } catch (error) {
      if (!(error instanceof UnknownCrs)) throw error;
      refused++;
    }
  }
  const isFar = ({ metres }: { metres: number }): boolean => !(metres < 30);
  assert.deepEqual(
    distances
      .filter(isFar)
      .map(({ code }) => code)
      .toSorted(),
    Object.keys(exceptions).toSorted(),
  );
  const near = distances.filter(({ metres }) => metres < 5).length;
  assert.ok(near >= 0.96 * distances.length, `${near} of ${distances.length} within 5 m`);
  assert.ok(lines.length > 500 && refused < 20, `${refused} refused`);
});

function distanceMetres([lon1, lat1]: [number, number], [lon2, lat2]: [number, number]): number {
  const east = (((lon1 - lon2 + 540) % 360) - 180) * Math.cos((lat2 * Math.PI) / 180) * 111_195;
  return Math.hypot(east, (lat1 - lat2) * 111_195);
}
