/** Points of a file, one field after the other. Fields that the file does not have are undefined. */
export interface PointBuffer {
  readonly count: number;
  /** x, y, z of each point, in units of its coordinate system. */
  readonly places: Float64Array;
  readonly intensities: Uint16Array | undefined;
  readonly classes: Uint8Array | undefined;
  /** The number of the return, and of all returns of the pulse in the upper four bits. */
  readonly returns: Uint8Array | undefined;
  /** Red, green, blue of each point, as the file has them. */
  readonly colours: Uint16Array | undefined;
  /** Seconds, as the file counts them. */
  readonly gpsTimes: Float64Array | undefined;
  readonly sources: Uint16Array | undefined;
  readonly userData: Uint8Array | undefined;
  /** Degrees. */
  readonly scanAngles: Float32Array | undefined;
  readonly infrared: Uint16Array | undefined;
  /** Further numbers by their names, of those that were asked for and are there; NaN for none. */
  readonly extras?: ReadonlyMap<string, Float64Array>;
}
