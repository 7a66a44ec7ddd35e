/** The columns that hold the coordinates. Column indexes start at 0. */
export type CoordinateColumns =
  | { readonly kind: 'pair'; readonly x: number; readonly y: number }
  | { readonly kind: 'wkt'; readonly column: number }
  | { readonly kind: 'together'; readonly column: number; readonly latitudeFirst: boolean };

/** Names of the two axes, in English, German, French, Spanish, Italian, Portuguese, Dutch and Polish. */
const families: readonly (readonly [x: string, y: string])[] = [
  [
    'lon|lng|long|longitude|longitud|longitudine|lengtegraad|laenge|lange|laengengrad|langengrad|dlugosc',
    'lat|latitude|latitud|latitudine|breedtegraad|breite|breitengrad|szerokosc',
  ],
  ['x', 'y'],
  ['eastings?|east|ostwert|ost|est|este|e', 'northings?|north|nordwert|nord|norte|n'],
  ['rechtswert|rechts|rw', 'hochwert|hoch|hw'],
];
/** Words in column names that carry no meaning besides the axis name. */
const filler =
  '(?:geogr|geom|geo|gps|coord(?:inates?|onnees?|enadas?|inata)?|koord(?:inaten?)?|wgs84|wgs|4326|utm|etrs89|' +
  'lv95|lambert93|lambert|rd|pos(?:ition)?|point|punkt|centroid|centre|center|deg(?:rees?)?|dd|decimal|dezimal|dez|dec|grad|wert|value|_)*';
const axes = families.map((names) => names.map((name) => new RegExp(`^${filler}(?:${name})${filler}$`)));
const suffixes = families.map((names) => names.map((name) => new RegExp(`^(.+)_(?:${name})$`)));
const wktName =
  /^(?:wkt|the_geom|geom|geometry|geometrie|geometria|wkt_geom|geom_wkt|geometry_wkt|wkb_geometry|wkb|ewkt|ewkb|shape|way)$/;
const togetherName =
  /^(?:lat_?(?:lon|lng|long)|(?:lon|lng|long)_?lat|lat(?:itude)?_(?:and_)?long?(?:itude)?|coordinates?|coords?|koordinaten?|coordonnees|coordenadas|coordinate|geo_?point(?:_?2d)?|geo_?location|location|position|gps|latlngs?)$/;

/** Tests the content of a column. */
export interface ColumnContent {
  readonly isWkt: (column: number) => boolean;
  readonly isTogether: (column: number) => boolean;
}

/** Finds the coordinate columns by name. A single column with both coordinates must also look like one. */
export function coordinateColumns(
  names: readonly string[],
  { isWkt, isTogether }: ColumnContent,
): CoordinateColumns | undefined {
  const plain = names.map(plainName);
  const column = plain.findIndex((name, i) => wktName.test(name) && isWkt(i));
  if (column >= 0) return { kind: 'wkt', column };
  const pair = findPair(plain);
  if (pair !== undefined) return pair;
  const together = plain.findIndex((name, i) => togetherName.test(name) && isTogether(i));
  if (together >= 0) {
    return { kind: 'together', column: together, latitudeFirst: !/^(?:lon|lng)/.test(plain[together]!) };
  }
  const anyWkt = plain.findIndex((_, i) => isWkt(i));
  return anyWkt < 0 ? undefined : { kind: 'wkt', column: anyWkt };
}

function findPair(names: readonly string[]): CoordinateColumns | undefined {
  for (const [isX, isY] of axes) {
    const x = names.findIndex((name) => isX!.test(name));
    const y = names.findIndex((name) => isY!.test(name));
    if (x >= 0 && y >= 0) return { kind: 'pair', x, y };
  }
  for (const [isX, isY] of suffixes) {
    const prefixes = new Map(names.map((name, y) => [isY!.exec(name)?.[1], y]));
    for (const [x, name] of names.entries()) {
      const prefix = isX!.exec(name)?.[1];
      const y = prefix === undefined ? undefined : prefixes.get(prefix);
      if (y !== undefined) return { kind: 'pair', x, y };
    }
  }
  return undefined;
}

/** Lower case without accents, words between underscores: "Länge (WGS84)" is lange_wgs84, "geoLat" geo_lat. */
function plainName(name: string): string {
  return name
    .slice(0, maxNameLength)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

const maxNameLength = 100;
