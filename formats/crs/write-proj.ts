import { childOf, findNode, geographicKeywords, projectedKeywords, type WktNode } from './wkt-tree.ts';

/**
 * The PROJ string of a WKT whose method is a common one, else undefined. proj4 reads WKT, too, but loses ESRI's polar
 * stereographic and Mercator projections by thousands of kilometres, origins at a pole, and grads.
 */
export function writeProj(node: WktNode): string | undefined {
  const geographic = findNode(node, geographicKeywords);
  const datum = geographic === undefined ? undefined : writeDatum(geographic);
  if (geographic === undefined || datum === undefined) return undefined;
  if (!projectedKeywords.includes(node.keyword)) return `+proj=longlat ${datum}`;
  const method = findNode(node, ['PROJECTION', 'METHOD'])?.values[0];
  const write = methods.get(plain(String(method)));
  if (write === undefined) return undefined;
  const metresPerUnit = unitOf(node, 'LENGTHUNIT') ?? 1;
  const parameters = readParameters(node, { metresPerUnit, degreesPerUnit: degreesOf(geographic) });
  const projection = write(parameters);
  if (!Object.values(projection).every((value) => typeof value === 'string' || Number.isFinite(value)))
    return undefined;
  const { x_0: easting = 0, y_0: northing = 0, lon_0: meridian = 0 } = parameters;
  const all = { ...projection, lon_0: meridian, x_0: easting, y_0: northing, to_meter: metresPerUnit };
  const words = Object.entries(all).map(([key, value]) => `+${key}=${value}`);
  return `${words.join(' ')} ${datum}`;
}

/** Degrees in a unit of a geographic CRS; PARAMETERs of WKT 2 name their own. */
export function degreesOf(geographic: WktNode): number {
  const radians = unitOf(geographic, 'ANGLEUNIT') ?? Math.PI / 180;
  const degrees = (radians * 180) / Math.PI;
  return Math.abs(degrees - 1) < 1e-6 ? 1 : degrees;
}

/** Size of the unit in metres or radians. */
function unitOf(node: WktNode, keyword: 'LENGTHUNIT' | 'ANGLEUNIT'): number | undefined {
  const axis = childOf(node, 'AXIS') ?? node;
  const unit = (childOf(node, 'UNIT', keyword) ?? childOf(axis, keyword))?.values[1];
  return typeof unit === 'number' && unit > 0 ? unit : undefined;
}

function writeDatum(geographic: WktNode): string | undefined {
  const spheroid = findNode(geographic, ['SPHEROID', 'ELLIPSOID']);
  const [, radius, rf] = spheroid?.values ?? [];
  if (spheroid === undefined || typeof radius !== 'number' || typeof rf !== 'number' || !(rf >= 0))
    return undefined;
  // Clarke measured in feet, Everest in his own.
  const a = radius * (unitOf(spheroid, 'LENGTHUNIT') ?? 1);
  if (!(a > 0)) return undefined;
  const ellipsoid = rf === 0 ? `+a=${a} +b=${a}` : `+a=${a} +rf=${rf}`;
  const primeMeridian = childOf(geographic, 'PRIMEM');
  const meridian = primeMeridian?.values[1];
  // in WKT 1 the prime meridian is in degrees, whatever the unit of the CRS
  const ownUnit = primeMeridian === undefined ? undefined : childOf(primeMeridian, 'ANGLEUNIT')?.values[1];
  const degrees = typeof ownUnit === 'number' ? (ownUnit * 180) / Math.PI : 1;
  const pm = typeof meridian === 'number' && meridian !== 0 ? ` +pm=${meridian * degrees}` : '';
  const shift = findNode(geographic, ['TOWGS84'])?.values.filter((value) => typeof value === 'number');
  return `${ellipsoid}${pm}${shift?.length === 7 || shift?.length === 3 ? ` +towgs84=${shift.join(',')}` : ''}`;
}

type Parameters = Partial<
  Record<'lat_0' | 'lon_0' | 'k_0' | 'lat_1' | 'lat_2' | 'lat_ts' | 'x_0' | 'y_0', number>
>;

/** Names of WKT 1, of ESRI and of WKT 2, in plain letters and digits. */
const parameterNames: Readonly<Record<string, keyof Parameters>> = {
  latitudeoforigin: 'lat_0',
  latitudeofcenter: 'lat_0',
  latitudeofnaturalorigin: 'lat_0',
  latitudeoffalseorigin: 'lat_0',
  centralmeridian: 'lon_0',
  longitudeofcenter: 'lon_0',
  longitudeofnaturalorigin: 'lon_0',
  longitudeoffalseorigin: 'lon_0',
  longitudeoforigin: 'lon_0',
  scalefactor: 'k_0',
  scalefactoratnaturalorigin: 'k_0',
  standardparallel1: 'lat_1',
  latitudeof1ststandardparallel: 'lat_1',
  standardparallel2: 'lat_2',
  latitudeof2ndstandardparallel: 'lat_2',
  latitudeofstandardparallel: 'lat_ts',
  falseeasting: 'x_0',
  eastingatfalseorigin: 'x_0',
  falsenorthing: 'y_0',
  northingatfalseorigin: 'y_0',
};

function readParameters(node: WktNode, units: { metresPerUnit: number; degreesPerUnit: number }): Parameters {
  const read: Parameters = {};
  const bearer = childOf(node, 'CONVERSION') ?? node;
  for (const { keyword, values, children } of bearer.children) {
    const name = parameterNames[plain(String(values[0]))];
    const value = values[1];
    if (keyword !== 'PARAMETER' || name === undefined || typeof value !== 'number') continue;
    const unit = children.find((child) => /^(?:LENGTH|ANGLE|SCALE)?UNIT$/.test(child.keyword));
    read[name] = value * factorOf(name, unit, units);
  }
  return read;
}

function factorOf(
  name: keyof Parameters,
  unit: WktNode | undefined,
  { metresPerUnit, degreesPerUnit }: { metresPerUnit: number; degreesPerUnit: number },
): number {
  const own = typeof unit?.values[1] === 'number' ? unit.values[1] : undefined;
  if (name === 'k_0') return own ?? 1;
  if (name === 'x_0' || name === 'y_0') return own ?? metresPerUnit;
  const degrees = own === undefined ? degreesPerUnit : (own * 180) / Math.PI;
  return Math.abs(degrees - 1) < 1e-6 ? 1 : degrees;
}

type Write = (parameters: Parameters) => Readonly<Record<string, string | number>>;

const transverse: Write = ({ lat_0 = 0, k_0 = 1 }) => ({ proj: 'tmerc', lat_0, k_0 });
const conformalConic: Write = ({ lat_0 = 0, lat_1 = lat_0, lat_2 = lat_1, k_0 = 1 }) => ({
  proj: 'lcc',
  lat_0,
  lat_1,
  lat_2,
  k_0,
});
const mercator: Write = ({ lat_1 = 0, lat_ts = lat_1, k_0 }) =>
  k_0 === undefined ? { proj: 'merc', lat_ts } : { proj: 'merc', k_0 };
const obliqueStereographic: Write = ({ lat_0 = 0, k_0 = 1 }) => ({ proj: 'sterea', lat_0, k_0 });
const azimuthal: Write = ({ lat_0 = 0 }) => ({ proj: 'laea', lat_0 });
const albers: Write = ({ lat_0 = 0, lat_1 = 0, lat_2 = lat_1 }) => ({ proj: 'aea', lat_0, lat_1, lat_2 });
const cylindrical: Write = ({ lat_0 = 0, lat_1 = 0, lat_ts = lat_1 }) => ({ proj: 'eqc', lat_0, lat_ts });
const cassini: Write = ({ lat_0 = 0 }) => ({ proj: 'cass', lat_0 });

/** Uses the parallel of true scale, or else the scale at the pole; GDAL's WKT 1 gives the parallel as the origin. */
const polar: Write = ({ lat_0, lat_1, lat_ts = lat_1 ?? lat_0 ?? 90, k_0 = 1 }) => {
  const pole = lat_ts < 0 ? -90 : 90;
  return Math.abs(lat_ts) === 90
    ? { proj: 'stere', lat_0: pole, k_0 }
    : { proj: 'stere', lat_0: pole, lat_ts };
};

const methods: ReadonlyMap<string, Write> = new Map([
  ['transversemercator', transverse],
  ['gausskruger', transverse],
  ['transversemercatorsouthorientated', (given) => ({ ...transverse(given), axis: 'wsu' })],
  ['lambertconformalconic', conformalConic],
  ['lambertconformalconic1sp', conformalConic],
  ['lambertconformalconic2sp', conformalConic],
  ['lambertconicconformal1sp', conformalConic],
  ['lambertconicconformal2sp', conformalConic],
  ['mercator', mercator],
  ['mercator1sp', mercator],
  ['mercator2sp', mercator],
  ['mercatorvarianta', mercator],
  ['mercatorvariantb', mercator],
  ['polarstereographic', polar],
  ['polarstereographicvarianta', polar],
  ['polarstereographicvariantb', polar],
  ['stereographicnorthpole', polar],
  ['stereographicsouthpole', polar],
  ['obliquestereographic', obliqueStereographic],
  ['doublestereographic', obliqueStereographic],
  ['lambertazimuthalequalarea', azimuthal],
  ['albers', albers],
  ['albersequalarea', albers],
  ['albersconicequalarea', albers],
  ['equidistantcylindrical', cylindrical],
  ['platecarree', cylindrical],
  ['cassini', cassini],
  ['cassinisoldner', cassini],
]);

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
