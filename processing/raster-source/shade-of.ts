import type { PixelSamples } from '@platen/geo/raster/halve-pixels';
import type { ColourPlan } from './plan-of-colours.ts';

/** The shades of all numbers of 8 or 16 bits: powers take longer than looking them up. */
const tables = new WeakMap<ColourPlan, Uint8Array>();

/** The shade of a number, from 0 to 255. */
export function shadeOf(samples: PixelSamples, plan: ColourPlan): (value: number) => number {
  const { range, gamma, isInverted } = plan;
  const [low, high] = range ?? [0, 255];
  const scale = 255 / (high - low || 1);
  const linear = (value: number): number => {
    const grey = Math.min(255, Math.max(0, (value - low) * scale));
    return isInverted ? 255 - grey : grey;
  };
  if (gamma === 1) return linear;
  const bent = (value: number): number => Math.round(255 * (linear(value) / 255) ** (1 / gamma));
  const isShort = samples instanceof Uint8Array || samples instanceof Uint16Array;
  if (!isShort) return bent;
  const size = 256 ** samples.BYTES_PER_ELEMENT;
  let table = tables.get(plan);
  if (table?.length !== size) {
    table = Uint8Array.from({ length: size }, (_, value) => bent(value));
    tables.set(plan, table);
  }
  return (value) => table[value]!;
}
