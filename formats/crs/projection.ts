/** Used again for every coordinate, so that none is made. */
export interface PlanePoint {
  x: number;
  y: number;
}

/** Between metres in the plane and longitude, latitude in radians, in place. NaN where it is not defined. */
export interface Projection {
  inverse(point: PlanePoint): void;
  forward(point: PlanePoint): void;
}
