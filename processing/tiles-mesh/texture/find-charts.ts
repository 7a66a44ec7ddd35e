import type { UvBox } from '../../models/texture/cut-crop.ts';
import { areaOf } from '../mesh/piece.ts';
import type { ReadPart } from '../mesh/divide-mesh.ts';

/** Triangles that hang together in an image. */
export interface Chart {
  /** Places of their first corners among the indices of the part. */
  readonly triangles: number[];
  /** In image coordinates, v upwards. */
  box: UvBox;
  /** Square metres, and the share of the image. */
  metres: number;
  share: number;
}

/** Charts are cut out together if that takes at most so much more of the image. */
const maxWaste = 1.6;

/** The charts of a textured part; those that are close to each other in the image are one. */
export function findCharts(part: ReadPart): Chart[] {
  const charts = connectedCharts(part);
  const [first, ...others] = charts;
  if (first === undefined) return [];
  const box = others.reduce((all, { box: one }) => unionOf(all, one), first.box);
  const separate = charts.reduce((sum, one) => sum + areaOfBox(one.box), 0);
  // a box around all may pass the image where it repeats
  const isWithin = box[0] >= -0.01 && box[1] >= -0.01 && box[2] <= 1.01 && box[3] <= 1.01;
  if (charts.length === 1 || !isWithin || areaOfBox(box) > separate * maxWaste) return charts;
  const sum = (field: 'metres' | 'share'): number => charts.reduce((total, one) => total + one[field], 0);
  return [
    {
      triangles: charts.flatMap(({ triangles }) => triangles),
      box,
      metres: sum('metres'),
      share: sum('share'),
    },
  ];
}

function connectedCharts({ positions, uvs, indices }: ReadPart): Chart[] {
  const parent = new Uint32Array(positions.length / 3).map((_, i) => i);
  const rootOf = (vertex: number): number => {
    let root = vertex;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]!]!;
      root = parent[root]!;
    }
    return root;
  };
  for (let i = 0; i < indices.length; i += 3) {
    const root = rootOf(indices[i]!);
    parent[rootOf(indices[i + 1]!)] = root;
    parent[rootOf(indices[i + 2]!)] = root;
  }
  const charts = new Map<number, Chart>();
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i]!, indices[i + 1]!, indices[i + 2]!];
    const root = rootOf(a);
    let chart = charts.get(root);
    if (chart === undefined) {
      chart = { triangles: [], box: [Infinity, Infinity, -Infinity, -Infinity], metres: 0, share: 0 };
      charts.set(root, chart);
    }
    chart.triangles.push(i);
    chart.metres += areaOf(positions, a, b, c);
    chart.share += shareOf(uvs!, a, b, c);
    for (const vertex of [a, b, c]) {
      const [u, v] = [uvs![vertex * 2]!, uvs![vertex * 2 + 1]!];
      chart.box = unionOf(chart.box, [u, v, u, v]);
    }
  }
  return [...charts.values()];
}

/** What a triangle takes of an image, which is 1. */
export function shareOf(uvs: Float32Array, a: number, b: number, c: number): number {
  const edge = (to: number, axis: number): number => uvs[to * 2 + axis]! - uvs[a * 2 + axis]!;
  return Math.abs(edge(b, 0) * edge(c, 1) - edge(c, 0) * edge(b, 1)) / 2;
}

const areaOfBox = ([left, bottom, right, top]: UvBox): number => (right - left) * (top - bottom);

const unionOf = (a: UvBox, b: UvBox): UvBox => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];
