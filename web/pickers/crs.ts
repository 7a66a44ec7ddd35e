/** Systems common in Central Europe; any other EPSG code can be typed. */
export const commonCrs: readonly { readonly code: string; readonly name: string }[] = [
  { code: 'EPSG:4326', name: 'WGS 84 (longitude, latitude)' },
  { code: 'EPSG:3857', name: 'WGS 84 / Pseudo-Mercator (web maps)' },
  { code: 'EPSG:25831', name: 'ETRS89 / UTM 31N' },
  { code: 'EPSG:25832', name: 'ETRS89 / UTM 32N' },
  { code: 'EPSG:25833', name: 'ETRS89 / UTM 33N' },
  { code: 'EPSG:4258', name: 'ETRS89 (longitude, latitude)' },
  { code: 'EPSG:3035', name: 'ETRS89-extended / LAEA Europe' },
  { code: 'EPSG:5555', name: 'ETRS89 / UTM 32N + DHHN92' },
  { code: 'EPSG:5556', name: 'ETRS89 / UTM 33N + DHHN92' },
  { code: 'EPSG:31466', name: 'DHDN / 3-degree Gauss-Krüger zone 2' },
  { code: 'EPSG:31467', name: 'DHDN / 3-degree Gauss-Krüger zone 3' },
  { code: 'EPSG:31468', name: 'DHDN / 3-degree Gauss-Krüger zone 4' },
  { code: 'EPSG:31469', name: 'DHDN / 3-degree Gauss-Krüger zone 5' },
  { code: 'EPSG:31256', name: 'MGI / Austria GK East' },
  { code: 'EPSG:31287', name: 'MGI / Austria Lambert' },
  { code: 'EPSG:2056', name: 'CH1903+ / LV95' },
  { code: 'EPSG:21781', name: 'CH1903 / LV03' },
  { code: 'EPSG:2154', name: 'RGF93 / Lambert-93' },
  { code: 'EPSG:28992', name: 'Amersfoort / RD New' },
  { code: 'EPSG:27700', name: 'OSGB36 / British National Grid' },
  { code: 'EPSG:2180', name: 'ETRF2000-PL / CS92' },
  { code: 'EPSG:5514', name: 'S-JTSK / Krovak East North' },
  { code: 'EPSG:32631', name: 'WGS 84 / UTM 31N' },
  { code: 'EPSG:32632', name: 'WGS 84 / UTM 32N' },
  { code: 'EPSG:32633', name: 'WGS 84 / UTM 33N' },
];

/** Normalises a typed code, a number alone to EPSG; undefined if it cannot be a code. */
export function crsCode(text: string): string | undefined {
  const [, number] = /^(?:epsg:{1,2})?(\d{4,6})$/i.exec(text.trim()) ?? [];
  if (number !== undefined) return `EPSG:${number}`;
  return /^(?:ogc:)?crs84h?$/i.test(text.trim())
    ? `OGC:${text.trim().replace(/^ogc:/i, '').toUpperCase()}`
    : undefined;
}

/** Systems whose code or name contains every word. */
export function findCrs(text: string): typeof commonCrs {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return commonCrs.filter(({ code, name }) => {
    const whole = `${code} ${name}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
}
