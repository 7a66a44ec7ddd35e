import { compileModel } from '@platen/processing/features/compile-model';
import { labelPoint } from '@platen/processing/features/label-point';
import type { ModelOptions } from '@platen/processing/features/model-options';
import { makeFeature } from '@platen/processing/features/testing';
import { print } from './report.ts';

const count = 400_000;
const rounds = 3;

const models: Readonly<Record<string, ModelOptions>> = {
  'no options': {},
  'six attributes kept': { include: ['name', 'class', 'ref', 'lanes', 'oneway', 'width'] },
  'two types': { types: { lanes: 'string', width: 'integer' } },
  'older filter': { filter: ['==', 'class', 'road'] },
  filter: { filter: ['all', ['==', ['get', 'class'], 'road'], ['has', 'name']] },
  'filter that fails for a tenth': { filter: ['>', ['get', 'rank'], 3] },
  'two computed attributes': {
    attributes: {
      label: ['concat', ['get', 'ref'], ' ', ['get', 'name']],
      weight: ['*', ['number', ['get', 'lanes'], 1], ['get', 'width']],
    },
  },
  'three layers with filters': {
    layers: ['road', 'path', 'rail'].map((name) => ({ name, filter: ['==', ['get', 'class'], name] })),
  },
};

/** What options cost per feature, of ten attributes each. */
export async function benchFeatures(): Promise<void> {
  const features = Array.from({ length: 1000 }, (_, i) => {
    const json = JSON.stringify({
      name: `Street ${i}`,
      class: ['road', 'path', 'rail'][i % 3],
      ref: `A${i % 50}`,
      lanes: i % 4,
      oneway: i % 2 === 0,
      width: i / 7,
      ...(i % 10 > 0 && { rank: i % 9 }),
      surface: 'asphalt',
      source: 'survey',
      updated: '2024-01-01',
    });
    return makeFeature(JSON.parse(json) as Record<string, unknown>);
  });
  const place = () => ({ feature: 1 });
  for (const [name, options] of Object.entries(models)) {
    const model = await compileModel(options, { warn() {} });
    const source = model.layersFor({ file: 'bench.geojson', layer: undefined });
    let attributes = 0;
    measure(name, count, () => {
      for (let i = 0; i < count; i++)
        source.apply(features[i % 1000]!, place, (made) => (attributes += made.attributeCount));
    });
    if (attributes === 0) throw new Error(`${name} made nothing`);
  }
  for (const corners of [5, 12, 100, 10_000]) {
    const ring = Array.from({ length: corners }, (_, i) => {
      const angle = (i / corners) * 2 * Math.PI;
      const radius = 1 + Math.sin(i * 12.9898) * 0.6;
      return [8 + Math.cos(angle) * radius, 47 + Math.sin(angle) * radius] as const;
    });
    const { geometry } = makeFeature({}, 'Polygon', [[ring]]);
    const times = Math.ceil(200_000 / corners);
    measure(`label point of ${corners} corners`, times, () => {
      for (let i = 0; i < times; i++) labelPoint(geometry);
    });
  }
}

/** CPU time of this process, so that others on the machine do not count. */
function measure(name: string, features: number, run: () => void): void {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const begin = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(begin);
    best = Math.min(best, user + system);
  }
  const each = Math.max(1, Math.round((best * 1000) / features));
  print(`${name}: ${Math.round(1e6 / each).toLocaleString('en')} k/s, ${each} ns each`);
}
