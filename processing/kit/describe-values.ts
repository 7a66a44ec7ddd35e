import type { AttributeStatistics } from './attribute-statistics.ts';
import { quantilesOf, type Histogram } from './histogram.ts';

/** How much of an attribute is listed, for lists that would be too long. */
export interface ValueLimits {
  readonly values: number;
  /** Of numbers; 0: none. */
  readonly quantiles: number;
}

/** Longer texts are not listed. */
export const maxListedLength = 200;

type Described = Pick<AttributeStatistics, 'valueCount' | 'hasLongTexts' | 'min' | 'max'> & {
  readonly values: ReadonlySet<string | number | boolean>;
  readonly histogram?: Histogram | undefined;
};

/** What the fields of a datasource say of the values of an attribute, by which styles choose colours. */
export function describeValues(field: Described, features: number, limit: ValueLimits) {
  const { values, hasLongTexts, min, max, histogram } = field;
  const short = [...values].filter((value) => typeof value !== 'string' || value.length <= maxListedLength);
  return {
    ...(min <= max && { min, max }),
    ...(features > 0 && { completeness: completenessOf(field, features) }),
    // number of distinct values kept, one more for all long texts; there may be more
    count: values.size + (hasLongTexts ? 1 : 0),
    values: short.slice(0, limit.values),
    ...(histogram &&
      histogram.bins.size > 1 &&
      limit.quantiles > 0 && { quantiles: quantilesBetween(field, histogram, limit.quantiles) }),
  };
}

/** The share of features that have the attribute: 1 only if all have it. */
const completenessOf = ({ valueCount }: Described, features: number): number =>
  valueCount < features ? Math.min(0.999, Number((valueCount / features).toPrecision(3))) : 1;

/** The ends are exact, the others are rounded. */
function quantilesBetween({ min, max }: Described, histogram: Histogram, number: number): number[] {
  const inner = quantilesOf(histogram, number).slice(1, -1);
  return [min, ...inner.map((value) => Number(value.toPrecision(6))), max];
}
