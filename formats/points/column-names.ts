import { columnRoles, type ColumnRole, type TableColumns } from './point-table.ts';

/** Names of columns by what they hold, in lower case and without what is no letter or digit. */
const names: Readonly<Record<ColumnRole, readonly string[]>> = {
  x: ['x', 'east', 'easting', 'e', 'lon', 'long', 'longitude', 'rechtswert', 'ostwert', 'coordx', 'posx'],
  y: ['y', 'north', 'northing', 'n', 'lat', 'latitude', 'hochwert', 'nordwert', 'coordy', 'posy'],
  z: ['z', 'height', 'h', 'elevation', 'elev', 'alt', 'altitude', 'höhe', 'hoehe', 'coordz', 'posz'],
  red: ['r', 'red', 'rf', 'rot', 'diffusered'],
  green: ['g', 'green', 'gf', 'grün', 'gruen', 'diffusegreen'],
  blue: ['b', 'blue', 'bf', 'blau', 'diffuseblue'],
  intensity: ['i', 'intensity', 'scalarintensity', 'intensität', 'reflectance', 'reflectivity', 'amplitude'],
  classification: ['class', 'classification', 'scalarclassification', 'klasse', 'label', 'scalarlabel'],
  returnNumber: ['return', 'returnnumber', 'scalarreturnnumber', 'returnindex'],
  numberOfReturns: ['numberofreturns', 'scalarnumberofreturns', 'returncount', 'numreturns'],
  gpsTime: ['gpstime', 'scalargpstime', 'time', 'timestamp'],
  pointSource: ['pointsource', 'pointsourceid', 'scalarpointsourceid'],
  userData: ['userdata', 'scalaruserdata'],
  scanAngle: ['scanangle', 'scananglerank', 'scalarscananglerank'],
  infrared: ['infrared', 'nir', 'ir'],
};

const roleOfName = new Map(columnRoles.flatMap((role) => names[role].map((name) => [name, role] as const)));

/** What columns hold by their names; the first of a role counts. */
export function columnsOfNames(columnNames: readonly string[]): TableColumns {
  const columns: Partial<Record<ColumnRole, number>> = {};
  for (const [number, name] of columnNames.entries()) {
    const role = roleOfName.get(name.toLowerCase().replaceAll(/[^\p{L}\d]/gu, ''));
    if (role !== undefined) columns[role] ??= number;
  }
  return withWholeColours(columns);
}

/** Colours need all three channels. */
function withWholeColours({ red, green, blue, ...others }: TableColumns): TableColumns {
  return red === undefined || green === undefined || blue === undefined
    ? others
    : { ...others, red, green, blue };
}

/** What columns hold by their roles in order; others than roles are skipped. Undefined without x, y and z. */
export function columnsOfRoles(roles: readonly string[]): TableColumns | undefined {
  const columns: Partial<Record<ColumnRole, number>> = {};
  for (const role of columnRoles) {
    const number = roles.indexOf(role);
    if (number >= 0) columns[role] = number;
  }
  return hasCoordinates(columns) ? withWholeColours(columns) : undefined;
}

export function hasCoordinates({ x, y, z }: TableColumns): boolean {
  return x !== undefined && y !== undefined && z !== undefined;
}
