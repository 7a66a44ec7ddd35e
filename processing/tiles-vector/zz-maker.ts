import { createTileEncoder, type TileEncoderOptions } from '@platen/geo/mvt/tile-encoder';
import type { Words } from '@platen/geo/shape/words';
export interface TileFeatures {
  each(visit: (store: Words, record: number, shape: number) => void): void;
}
export interface TileMakerOptions extends TileEncoderOptions {
  gzip: (b: Uint8Array) => Uint8Array;
  limitBytes: number;
}
export interface MadeTile {
  bytes: Uint8Array;
  packed: Uint8Array;
  features: number;
  refused: number;
}
export function createTileMaker(o: TileMakerOptions) {
  const e = createTileEncoder(o);
  return {
    make(z: number, x: number, y: number, f: TileFeatures): MadeTile | undefined {
      let features = 0,
        refused = 0;
      e.begin(z, x, y);
      f.each((s, r, h) => {
        const a = e.add(s, r, h);
        if (a === 'added') features++;
        else if (a === 'full') refused++;
      });
      const bytes = e.finish();
      return bytes && { bytes, packed: o.gzip(bytes), features, refused };
    },
  };
}
