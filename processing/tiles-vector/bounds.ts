import { latitudeOf, longitudeOf, worldSize } from '@platen/geo/tile/world-grid';

/** The box around everything that lies within the world. */
export interface Bounds {
  add(words: Int32Array, shape: number): void;
  /** West, south, east, north. */
  degrees(): [number, number, number, number];
}

export function createBounds(): Bounds {
  let minX = worldSize;
  let minY = worldSize;
  let maxX = 0;
  let maxY = 0;
  return {
    add(words, shape) {
      // Copies beyond the edge, made for buffers, are the same features again.
      if (words[shape + 3]! < 0 || words[shape + 1]! > worldSize) return;
      minX = Math.min(minX, words[shape + 1]!);
      minY = Math.min(minY, words[shape + 2]!);
      maxX = Math.max(maxX, words[shape + 3]!);
      maxY = Math.max(maxY, words[shape + 4]!);
    },
    degrees() {
      const inWorld = (value: number): number => Math.min(worldSize, Math.max(0, value));
      const round = (value: number): number => Math.round(value * 1e7) / 1e7;
      return [
        round(longitudeOf(inWorld(minX))),
        round(latitudeOf(inWorld(maxY))),
        round(longitudeOf(inWorld(maxX))),
        round(latitudeOf(inWorld(minY))),
      ];
    },
  };
}
