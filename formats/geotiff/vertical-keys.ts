import { compoundName } from '../crs/parse-crs-text.ts';
import { ellipsoidOf, footMetres, surveyFootMetres, type VerticalCrs } from '../crs/vertical-crs.ts';
import { findVerticalCode } from '../crs/vertical-names.ts';
import { verticalOfCode } from '../crs/vertical-wkt.ts';
import { geoKey, userDefined, type GeoKeys } from './geo-keys.ts';

/** Codes of units: metre, foot, US survey foot. */
const metresPerUnit: Readonly<Record<number, number>> = { 9001: 1, 9002: footMetres, 9003: surveyFootMetres };

/** Codes of GeoTIFF 1.0 (6.3.4.1) that EPSG has given up, and what replaced them. */
const oldCodes: Readonly<Record<number, string>> = {
  5101: '5701', // Newlyn
  5102: '5702', // NGVD29
  5103: '5703', // NAVD88
  5104: '5736', // Yellow Sea 1956
  5105: '5705', // Baltic Sea
  5106: '5706', // Caspian Sea
};
/** Ellipsoids, of which these two are those of GRS 80 and WGS 84. */
const oldEllipsoids = { first: 5001, last: 5033, grs80: 5019, wgs84: 5030 };

/** What heights count from; undefined where the keys do not say it. */
export function verticalOfKeys(keys: GeoKeys): VerticalCrs | undefined {
  const vertical = withoutUnit(keys);
  const unit = metresPerUnit[keys.number(geoKey.verticalUnits) ?? 0];
  return vertical === undefined || unit === undefined ? vertical : { ...vertical, metresPerUnit: unit };
}

function withoutUnit(keys: GeoKeys): VerticalCrs | undefined {
  const code = keys.number(geoKey.verticalCrs);
  if (code !== undefined && code !== userDefined) {
    if (code >= oldEllipsoids.first && code <= oldEllipsoids.last) return oldEllipsoid(code);
    const known = verticalOfCode(oldCodes[code] ?? String(code));
    if (known !== undefined) return known;
  }
  const [, second] = compoundName(keys.text(geoKey.citation) ?? '');
  const name = keys.text(geoKey.verticalCitation) ?? second;
  if (name !== undefined) return verticalOfCitation(name.slice(0, 100));
  const horizontal = keys.number(geoKey.geographicCrs);
  // a geographic CRS with three axes has heights above its ellipsoid
  const own = horizontal === undefined ? undefined : verticalOfCode(String(horizontal));
  return own?.kind === 'ellipsoid' ? own : undefined;
}

function oldEllipsoid(code: number): VerticalCrs {
  const { grs80, wgs84 } = oldEllipsoids;
  if (code === grs80) return ellipsoidOf('GRS 80');
  return code === wgs84 ? ellipsoidOf('WGS 84') : ellipsoidOf(`the code ${code}`, { isOther: true });
}

function verticalOfCitation(name: string): VerticalCrs {
  const code = findVerticalCode(name);
  const known = code === undefined ? undefined : verticalOfCode(code);
  if (known !== undefined) return known;
  if (/ellips/i.test(name)) return ellipsoidOf(name);
  return { kind: 'seaLevel', name, metresPerUnit: 1, isDepth: false };
}
