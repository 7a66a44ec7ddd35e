import { knownCrs } from '@platen/formats/geojson/crs-name';
export class UnknownCrs extends Error {}
export interface Crs {
  kind: string;
  name: string;
  area?: readonly [number, number, number, number];
  notes: readonly { code: string; message: string }[];
  toLonLat(c: Float64Array, n: number): void;
}
export function findCrs(name: string): Crs {
  const kind = knownCrs(name);
  if (kind === undefined) throw new UnknownCrs(`The CRS "${name}" is unknown.`);
  return {
    kind,
    name,
    notes: [],
    toLonLat(c, n) {
      for (let i = 0; i < n; i++) {
        c[i * 2] = (c[i * 2]! / 20037508.342789244) * 180;
        c[i * 2 + 1] = (Math.atan(Math.sinh((c[i * 2 + 1]! / 20037508.342789244) * Math.PI)) * 180) / Math.PI;
      }
    },
  };
}
