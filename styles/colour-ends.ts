import type { ColourRule } from '@platen/contract/map-styles';
import { isDiverging } from './palettes.ts';

export type ContinuousRule = Extract<ColourRule, { type: 'continuous' }>;

/** The numbers that have the outermost colours of a continuous scale, and that of the middle colour if that has a meaning. */
export interface ColourEnds {
  readonly from: number;
  readonly middle?: number;
  readonly to: number;
}

/** The middle is that of a diverging palette which has a colour there. */
export function endsOf({ stops, palette }: ContinuousRule): ColourEnds {
  const [from, to] = [stops[0]!.value, stops.at(-1)!.value];
  const middle = stops[(stops.length - 1) / 2]?.value;
  return palette !== undefined && isDiverging(palette) && middle !== undefined && stops.length > 2
    ? { from, middle, to }
    : { from, to };
}

/** Whether colours lie between the ends in this order. */
export const areAscending = ({ from, to, middle = (from + to) / 2 }: ColourEnds): boolean =>
  from < middle && middle < to;

/** The same colours between other ends; stops between them keep their share of the way. */
export function withEnds(rule: ContinuousRule, after: ColourEnds): ContinuousRule {
  const before = endsOf(rule);
  const last = rule.stops.length - 1;
  const { middle } = after;
  const hasMiddle = middle !== undefined && before.middle !== undefined;
  const valueAt = (value: number, i: number): number => {
    if (!hasMiddle) return moved(value, i / last, [before, after]);
    const share = (2 * i) / last;
    return share <= 1
      ? moved(value, share, [
          { from: before.from, to: before.middle },
          { from: after.from, to: middle },
        ])
      : moved(value, share - 1, [
          { from: before.middle, to: before.to },
          { from: middle, to: after.to },
        ]);
  };
  const stops = rule.stops.map(({ colour, value }, i) => ({ value: valueAt(value, i), colour }));
  return { ...rule, stops };
}

/** @param share of the way to the other end, by its number, if the former ends are one */
function moved(
  value: number,
  share: number,
  [before, after]: readonly [one: ColourEnds, other: ColourEnds],
): number {
  const way = before.to > before.from ? (value - before.from) / (before.to - before.from) : share;
  return Number((after.from + (after.to - after.from) * way).toPrecision(12));
}
