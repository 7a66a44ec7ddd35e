import { createPicture, type Picture } from './picture.ts';

/** Each pixel is the mean of those that it covers, weighted by their opacity. */
export function shrinkPicture(picture: Picture, width: number, height: number): Picture {
  const { width: fullWidth, height: fullHeight, rgba } = picture;
  const [across, down] = [fullWidth / width, fullHeight / height];
  const small = createPicture(width, height);
  for (let y = 0, at = 0; y < height; y++) {
    const [top, bottom] = [y * down, Math.min(fullHeight, (y + 1) * down)];
    for (let x = 0; x < width; x++, at += 4) {
      const [left, right] = [x * across, Math.min(fullWidth, (x + 1) * across)];
      let [red, green, blue, opacity] = [0, 0, 0, 0];
      for (let row = Math.floor(top); row < bottom; row++) {
        const rowWeight = Math.min(row + 1, bottom) - Math.max(row, top);
        for (let column = Math.floor(left); column < right; column++) {
          const from = (row * fullWidth + column) * 4;
          const weight = rowWeight * (Math.min(column + 1, right) - Math.max(column, left)) * rgba[from + 3]!;
          red += rgba[from]! * weight;
          green += rgba[from + 1]! * weight;
          blue += rgba[from + 2]! * weight;
          opacity += weight;
        }
      }
      if (opacity === 0) continue;
      small.rgba[at] = red / opacity;
      small.rgba[at + 1] = green / opacity;
      small.rgba[at + 2] = blue / opacity;
      small.rgba[at + 3] = opacity / (across * down);
    }
  }
  return small;
}

/** Shrinks what is larger so that its longer side is `maxSide` pixels; the same picture otherwise. */
export function fitPicture(picture: Picture, maxSide: number): Picture {
  const scale = Math.max(picture.width, picture.height) / maxSide;
  if (scale <= 1) return picture;
  const [width, height] = [picture.width, picture.height].map((side) =>
    Math.max(1, Math.round(side / scale)),
  );
  return shrinkPicture(picture, width!, height!);
}

/** A part of a picture, in its pixels. */
export interface Crop {
  readonly left: number;
  readonly top: number;
  /** How large a pixel of the result is. */
  readonly step: number;
}

/** Enlarges part of an opaque picture, bilinearly; beyond the edges their pixels repeat. */
export function enlargePicture(
  { width: fullWidth, height: fullHeight, rgba }: Picture,
  { left, top, step }: Crop,
  width: number,
  height: number,
) {
  const large = createPicture(width, height);
  const [lastColumn, lastRow] = [fullWidth - 1, fullHeight - 1];
  for (let y = 0, at = 0; y < height; y++) {
    const fromY = Math.min(lastRow, Math.max(0, top + (y + 0.5) * step - 0.5));
    const row = Math.floor(fromY);
    const down = fromY - row;
    const upper = row * fullWidth;
    const lower = Math.min(lastRow, row + 1) * fullWidth;
    for (let x = 0; x < width; x++, at += 4) {
      const fromX = Math.min(lastColumn, Math.max(0, left + (x + 0.5) * step - 0.5));
      const column = Math.floor(fromX);
      const right = fromX - column;
      const next = column < lastColumn ? 4 : 0;
      const [a, b] = [(upper + column) * 4, (lower + column) * 4];
      for (let i = 0; i < 3; i++) {
        const above = rgba[a + i]! * (1 - right) + rgba[a + next + i]! * right;
        const below = rgba[b + i]! * (1 - right) + rgba[b + next + i]! * right;
        large.rgba[at + i] = above * (1 - down) + below * down;
      }
      large.rgba[at + 3] = 255;
    }
  }
  return large;
}
