/** Red, green, blue from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** A picture, and a mask in which shapes are drawn before a colour is laid over what they cover. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray;
  /** How much of each pixel is covered, from 0 to 1. */
  readonly mask: Float32Array;
}

/** In pixels; left and top are part of it, right and bottom are not. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Lines or rings (or, as one line, points) in units of their own. */
export interface Path {
  /** x, y of each position; y downwards. */
  readonly coordinates: ArrayLike<number>;
  /** Where each line or ring ends, in positions. */
  readonly partEnds: readonly number[];
}

/** Where a path lies in the picture: a unit is `scale` pixels, its origin at `left`, `top`. */
export interface Placement {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

export function createCanvas(width: number, height: number, background: Colour): Canvas {
  const rgba = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < rgba.length; at += 4) {
    rgba.set(background, at);
    rgba[at + 3] = 255;
  }
  return { width, height, rgba, mask: new Float32Array(width * height) };
}

/** Lays a colour over what the mask covers, and clears the mask. */
export function paintMask({ rgba, mask }: Canvas, colour: Colour, opacity: number): void {
  for (let pixel = 0; pixel < mask.length; pixel++) {
    const weight = Math.min(1, mask[pixel]!) * opacity;
    if (weight === 0) continue;
    const at = pixel * 4;
    for (let i = 0; i < 3; i++) rgba[at + i]! += (colour[i]! - rgba[at + i]!) * weight;
  }
  mask.fill(0);
}
