import type { PlanePoint, Projection } from './projection.ts';

const radius = 6_378_137;

/**
 * EPSG:3857: Mercator's formulas of the sphere, on the latitudes of the ellipsoid (EPSG guidance note 7-2, method
 * 1024).
 */
export const webMercator: Projection = {
  inverse(point: PlanePoint) {
    point.x = point.x / radius;
    point.y = Math.atan(Math.sinh(point.y / radius));
  },
  forward(point: PlanePoint) {
    // A pole is infinitely far away, so the result is not a number.
    point.y = Math.abs(point.y) < Math.PI / 2 ? radius * Math.asinh(Math.tan(point.y)) : NaN;
    point.x = point.x * radius;
  },
};
