import type { InspectedField, InspectedLayer } from '@platen/contract/inspect';
import { className } from '@platen/formats/las/point-format';
import type { Finding } from '../inspector.ts';

interface JoinedSamples {
  readonly fields: InspectedField[];
  readonly details: Record<string, unknown>;
}

/** What some sheets tell of all: classes by their share of points, the range of densities, depths of colours, and attributes. */
export function joinSamples(samples: readonly Finding[]): JoinedSamples {
  const layers = samples.flatMap((finding) => finding.layers);
  const fields = new Map(layers.flatMap((layer) => layer.fields.map((field) => [field.name, field])));
  const densities = numbersOf(layers, 'pointsPerSquareMetre').toSorted((a, b) => a - b);
  const depths = [...new Set(numbersOf(layers, 'colourBits'))].toSorted((a, b) => a - b);
  const classes = joinClasses(layers);
  return {
    fields: [...fields.values()],
    details: {
      sampledSheets: layers.length,
      ...(classes.length > 0 && { classes }),
      ...(densities.length > 0 && {
        pointsPerSquareMetre: densities[densities.length >> 1],
        densityRange: [densities[0], densities.at(-1)],
        isDensityEstimated: true,
      }),
      hasColours: depths.length > 0,
      ...(depths.length > 0 && { colourBits: depths.length === 1 ? depths[0] : depths }),
    },
  };
}

interface ClassShare {
  readonly code: number;
  readonly share: number;
}

/** Each sheet counts by the number of its points. */
function joinClasses(layers: readonly InspectedLayer[]): (ClassShare & { readonly name: string })[] {
  const shares = new Map<number, number>();
  let all = 0;
  for (const { details, featureCount = 0 } of layers) {
    const classes = details?.['classes'] as readonly ClassShare[] | undefined;
    if (classes === undefined) continue;
    all += featureCount;
    for (const { code, share } of classes) shares.set(code, (shares.get(code) ?? 0) + share * featureCount);
  }
  return [...shares]
    .toSorted(([a], [b]) => a - b)
    .map(([code, points]) => ({ code, name: className(code), share: Number((points / all).toPrecision(3)) }));
}

const numbersOf = (layers: readonly InspectedLayer[], detail: string): number[] =>
  layers.flatMap(({ details }) => (details?.[detail] as number | undefined) ?? []);
