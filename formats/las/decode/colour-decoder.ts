import type { ArithmeticDecoder } from './arithmetic-decoder.ts';
import type { ModelArena } from './model-arena.ts';

const clamp = (value: number): number => (value <= 0 ? 0 : Math.min(value, 255));

/**
 * LASzip's coding of colours (RGB12 version 2, RGB14 version 3): each byte by its difference from the last colour, of green and
 * blue corrected by how much the channels before have changed.
 */
export class ColourDecoder {
  private readonly used: number;
  private readonly bytes: readonly number[];

  constructor(models: ModelArena) {
    this.used = models.symbols(128);
    this.bytes = Array.from({ length: 6 }, () => models.symbols(256));
  }

  /** @param colour the last red, green, blue of 16 bits each, which become the next ones */
  read(decoder: ArithmeticDecoder, colour: Uint16Array): void {
    const used = decoder.symbol(this.used);
    const [red, green, blue] = [colour[0]!, colour[1]!, colour[2]!];
    let [low, high] = [red & 255, red >> 8];
    if (used & 1) low = (low + decoder.symbol(this.bytes[0]!)) & 255;
    if (used & 2) high = (high + decoder.symbol(this.bytes[1]!)) & 255;
    colour[0] = low | (high << 8);
    if (!(used & 64)) {
      // grey
      colour[1] = colour[0];
      colour[2] = colour[0];
      return;
    }
    let [greenLow, blueLow, greenHigh, blueHigh] = [green & 255, blue & 255, green >> 8, blue >> 8];
    let change = low - (red & 255);
    if (used & 4) greenLow = (decoder.symbol(this.bytes[2]!) + clamp(change + greenLow)) & 255;
    if (used & 16) {
      const correction = decoder.symbol(this.bytes[4]!);
      change = ((change + greenLow - (green & 255)) / 2) | 0;
      blueLow = (correction + clamp(change + blueLow)) & 255;
    }
    change = high - (red >> 8);
    if (used & 8) greenHigh = (decoder.symbol(this.bytes[3]!) + clamp(change + greenHigh)) & 255;
    if (used & 32) {
      const correction = decoder.symbol(this.bytes[5]!);
      change = ((change + greenHigh - (green >> 8)) / 2) | 0;
      blueHigh = (correction + clamp(change + blueHigh)) & 255;
    }
    colour[1] = greenLow | (greenHigh << 8);
    colour[2] = blueLow | (blueHigh << 8);
  }
}
