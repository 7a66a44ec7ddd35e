/** EPSG's own codes end at 32767; epsg-index has ESRI's from here on among them. */
export const firstEsriCode = 37_000;

/** `EPSG:25832`, `ESRI:54009` */
export function fullCode(code: string): string {
  return `${Number(code) >= firstEsriCode ? 'ESRI' : 'EPSG'}:${code}`;
}
