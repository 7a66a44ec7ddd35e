import { geodeticOf } from '@platen/geo/geodesy/geocentric';
import type { LocalFrame } from '@platen/geo/geodesy/local-frame';
import type { Region } from '../../models/region.ts';
import { unitMetres, type Piece } from '../mesh/piece.ts';

/** Degrees and metres that a region is larger than what is in it, for what rounding moves. */
const [marginDegrees, marginMetres] = [1e-7, 0.02];

/** What a piece covers on the globe. */
export function pieceRegion({ positions }: Piece, { origin, east, north, up }: LocalFrame): Region {
  let [west, south, lowest] = [Infinity, Infinity, Infinity];
  let [eastern, northern, highest] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i += 3) {
    const [e, n, u] = [
      positions[i]! * unitMetres,
      positions[i + 1]! * unitMetres,
      positions[i + 2]! * unitMetres,
    ];
    const at = (axis: 0 | 1 | 2): number => origin[axis] + east[axis] * e + north[axis] * n + up[axis] * u;
    const [lon, lat, height] = geodeticOf([at(0), at(1), at(2)]);
    west = Math.min(west, lon);
    eastern = Math.max(eastern, lon);
    south = Math.min(south, lat);
    northern = Math.max(northern, lat);
    lowest = Math.min(lowest, height);
    highest = Math.max(highest, height);
  }
  return [
    west - marginDegrees,
    south - marginDegrees,
    eastern + marginDegrees,
    northern + marginDegrees,
    lowest - marginMetres,
    highest + marginMetres,
  ];
}
