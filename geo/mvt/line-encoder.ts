import { clipLine } from '../clip/clip-line.ts';
import { coordinatesAt, shapeHeaderWords } from '../shape/shape.ts';
import type { Int32Buffer } from '../shape/int32-buffer.ts';
import { createDust } from './dust.ts';
import { writeLine, type CommandWriter } from './command-writer.ts';
import { createVertices, gather, type Part, type TileGrid } from './tile-grid.ts';

export interface LineEncoder {
  begin(): void;
  encode(store: Int32Buffer, ring: number, part: Part): void;
}

/** Encodes lines of the tile. Those shorter than `dustLength` tile units are dust. */
export function createLineEncoder(grid: TileGrid, commands: CommandWriter, dustLength: number): LineEncoder {
  const dust = createDust(grid);
  const line = createVertices();
  /** Part of a clipped line, buffered because its length is written first. */
  const cut = createVertices();
  const stroke = new Float64Array(4);

  const flush = (): void => {
    if (cut.count >= 2) writeLine(commands, cut.xy, cut.count);
    cut.count = 0;
  };
  const take = (x: number, y: number, begins: boolean): void => {
    if (begins) flush();
    const rx = Math.round(x);
    const ry = Math.round(y);
    const at = cut.count * 2;
    if (at > 0 && cut.xy[at - 2] === rx && cut.xy[at - 1] === ry) return;
    if (at === cut.xy.length) {
      const larger = new Float64Array(at * 2);
      larger.set(cut.xy);
      cut.xy = larger;
    }
    cut.xy[at] = rx;
    cut.xy[at + 1] = ry;
    cut.count++;
  };

  return {
    begin: () => dust.begin(),
    encode(store, ring, part) {
      const { words, floats } = store;
      const { shape, start } = part;
      const first = coordinatesAt(words, shape) + start * 2;
      const size = floats[shape + shapeHeaderWords + ring * 2 + 1]! * grid.scale;
      const isDust = !grid.isHighest && size < dustLength;
      if (isDust && !dust.settle(words[first]!, words[first + 1]!, size, dustLength)) return;
      const before = commands.length;
      gather(line, store, part, grid);
      if (!line.isInside) {
        clipLine(line.xy, line.count, grid.low, grid.high, take);
        flush();
      } else if (line.count >= 2) writeLine(commands, line.xy, line.count);
      if (commands.length > before || size >= 1) return;
      const keepsAll = grid.isHighest || dustLength === 0;
      if (!isDust && !(keepsAll && dust.settle(words[first]!, words[first + 1]!, size, 0))) return;
      stroke.set([dust.x, dust.y, dust.x + 1, dust.y]);
      writeLine(commands, stroke, 2);
    },
  };
}
