import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipOfFiles } from '@platen/formats/zip/testing';
import sharp from 'sharp';
import { objOfBoxes } from '../processing/models/testing-meshes.ts';
import { print, printRatio } from './report.ts';
import { describeUsage, watchJob } from './watched-job.ts';

const copies = 40;
/** Units of the sample's transform between copies. */
const stepUnits = 3_000_000;
/** As many as a large city has: of 60,000, starting and compiling would take a quarter of the time. */
const footprints = 240_000;
const images = 4;
const imageSide = 4096;

/** Models in other formats than CityGML, each by one worker. @param sample a CityJSON file */
export async function benchCityInputs(sample: string, folder: string): Promise<void> {
  const seq = await cityJsonSeq(sample);
  const features = await run(folder, 'delft.city.jsonl', seq.text);
  printRatio('triangles of CityJSONSeq a CPU second', seq.triangles / features.cpuSeconds, 150_000);
  const extruded = await run(folder, 'footprints.geojson', footprintsJson());
  printRatio('footprints a CPU second', footprints / extruded.cpuSeconds, 20_000);
  const textured = await run(folder, 'textured.zip', await texturedZip(), {
    modelOptions: { placement: { longitude: 11.5, latitude: 48.1 } },
  });
  printRatio('Mpx of textures a CPU second', (images * imageSide ** 2) / 1e6 / textured.cpuSeconds, 8);
}

async function run(folder: string, name: string, content: string | Uint8Array, options: object = {}) {
  const input = join(folder, name);
  await writeFile(input, content);
  const usage = await watchJob({
    name: 'TilesObject',
    options: { processing: { workers: 1 }, ...options },
    input,
    result: { name: 'tileset.3tz', path: join(folder, `${name}.3tz`) },
  });
  print(`${name}: ${describeUsage(usage)}`);
  return usage;
}

interface CityJson {
  readonly version: string;
  readonly transform: object;
  readonly metadata: object;
  readonly CityObjects: Readonly<Record<string, CityJsonObject>>;
  readonly vertices: readonly (readonly [number, number, number])[];
}

interface CityJsonObject {
  readonly parents?: readonly string[];
  readonly children?: readonly string[];
  readonly geometry?: readonly { readonly lod: string; readonly boundaries: Boundaries }[];
}

type Boundaries = readonly (number | Boundaries)[];

/** The sample over and over as CityJSONSeq, each copy farther north, and the triangles of its finest level of detail. */
async function cityJsonSeq(path: string): Promise<{ readonly text: string; readonly triangles: number }> {
  const {
    version,
    transform,
    metadata,
    CityObjects: all,
    vertices,
  } = JSON.parse(await readFile(path, 'utf8')) as CityJson;
  const lines = [
    JSON.stringify({ type: 'CityJSON', version, transform, metadata, CityObjects: {}, vertices: [] }),
  ];
  let triangles = 0;
  for (const [id, root] of Object.entries(all)) {
    if (root.parents !== undefined) continue;
    const numbers = new Map<number, number>();
    const own = [id, ...(root.children ?? [])].map(
      (name) => [name, renumbered(all[name]!, numbers)] as const,
    );
    for (const [, { geometry = [] }] of own) triangles += trianglesOf(geometry);
    const corners = [...numbers.keys()].map((number) => vertices[number]!);
    for (let copy = 0; copy < copies; copy++)
      lines.push(
        JSON.stringify({
          type: 'CityJSONFeature',
          id: `${copy}-${id}`,
          CityObjects: Object.fromEntries(
            own.map(([name, { parents, children, ...rest }]) => {
              const named = (list?: readonly string[]) => list?.map((other) => `${copy}-${other}`);
              return [`${copy}-${name}`, { ...rest, parents: named(parents), children: named(children) }];
            }),
          ),
          vertices: corners.map(([x, y, z]) => [x, y + copy * stepUnits, z]),
        }),
      );
  }
  return { text: lines.join('\n'), triangles: triangles * copies };
}

function renumbered(object: CityJsonObject, numbers: Map<number, number>): CityJsonObject {
  const number = (vertex: number): number => {
    if (!numbers.has(vertex)) numbers.set(vertex, numbers.size);
    return numbers.get(vertex)!;
  };
  const visit = (list: Boundaries): Boundaries =>
    list.map((one) => (typeof one === 'number' ? number(one) : visit(one)));
  const geometry = object.geometry?.map((one) => ({ ...one, boundaries: visit(one.boundaries) }));
  return { ...object, ...(geometry && { geometry }) };
}

/** Triangles of the geometry with the highest level of detail: two fewer than corners, and two more for each hole. */
function trianglesOf(geometry: NonNullable<CityJsonObject['geometry']>): number {
  const finest = geometry.toSorted((a, b) => Number(b.lod) - Number(a.lod))[0];
  const count = (list: Boundaries): number => {
    const [first] = list;
    if (Array.isArray(first) && typeof first[0] === 'number')
      return list.reduce<number>((sum, ring) => sum + (ring as Boundaries).length + 2, -4);
    return list.reduce<number>((sum, one) => sum + (typeof one === 'number' ? 0 : count(one)), 0);
  };
  return finest === undefined ? 0 : count(finest.boundaries);
}

/** Houses with six corners in a grid of streets. */
function footprintsJson(): string {
  const side = Math.ceil(Math.sqrt(footprints));
  const shape = [[0, 0], [1.2e-4, 0], [1.2e-4, 5e-5], [6e-5, 5e-5], [6e-5, 9e-5], [0, 9e-5], [0, 0]] as const; // prettier-ignore
  const features = Array.from({ length: footprints }, (_, i) => {
    const [lon, lat] = [11 + (i % side) * 3e-4, 48 + Math.floor(i / side) * 2e-4];
    const ring = shape.map(([x, y]) => [Number((lon + x).toFixed(7)), Number((lat + y).toFixed(7))]);
    return {
      type: 'Feature',
      properties: { name: `House ${i}`, height: 4 + (i % 40) / 2, use: ['home', 'shop', 'office'][i % 3] },
      geometry: { type: 'Polygon', coordinates: [ring] },
    };
  });
  return JSON.stringify({ type: 'FeatureCollection', features });
}

/** Boxes with an image each, as fine as tiles show it. */
async function texturedZip(): Promise<Uint8Array> {
  const files: Record<string, string | Uint8Array> = {};
  for (let i = 0; i < images; i++) {
    files[`${i}.obj`] = objOfBoxes({ [`box${i}`]: [[i * 600, 0, 0], [400, 400, 400]] }, `mtllib ${i}.mtl`); // prettier-ignore
    files[`${i}.mtl`] = `newmtl wall\nmap_Kd ${i}.jpg\n`;
    files[`${i}.jpg`] = await sharp({
      create: {
        width: imageSide,
        height: imageSide,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    })
      .blur(2)
      .jpeg()
      .toBuffer();
  }
  return zipOfFiles(files);
}
