import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createMbtilesWriter } from '@platen/formats/mbtiles/write-mbtiles';
import { indexedZipOf, zipOf, type TestMember } from '@platen/formats/zip/testing';

export interface Point {
  /** Longitude in degrees. */
  readonly lon: number;
  readonly lat: number;
}

const halfEdgeMetres = 500;
const equatorMetres = 6_378_137;
const squaredEccentricity = 0.00669437999014;

/** A tileset of one cube of a colour that stands on the ground: as 3TZ with an index, or as a zip file of its folder. */
export function cubeArchive(at: Point, colour: readonly number[], kind: '3tz' | 'zip'): Buffer {
  const files = cubeFiles(at, colour);
  if (kind === '3tz') return indexedZipOf(files.map(([name, content]): TestMember => ({ name, content })));
  return zipOf(files.map(([name, content]): TestMember => ({ name: `cube/${name}`, content, method: 8 })))
    .bytes;
}

/** The files of the folder of that tileset. */
export function cubeFiles(at: Point, colour: readonly number[]): [name: string, content: string | Buffer][] {
  const half = halfEdgeMetres;
  const tileset = {
    asset: { version: '1.1' },
    geometricError: 2000,
    root: {
      transform: eastNorthUp(at, half),
      boundingVolume: { box: [0, 0, 0, half, 0, 0, 0, half, 0, 0, 0, half] },
      geometricError: 0,
      refine: 'ADD',
      content: { uri: 'content/cube.glb' },
    },
  };
  return [
    ['tileset.json', JSON.stringify(tileset)],
    ['content/cube.glb', cubeGlb(half, colour)],
  ];
}

/** Column by column, from metres eastwards, northwards and upwards to the centre of the Earth. */
function eastNorthUp({ lon, lat }: Point, height: number): number[] {
  const [l, p] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
  const [sl, cl, sp, cp] = [Math.sin(l), Math.cos(l), Math.sin(p), Math.cos(p)];
  const n = equatorMetres / Math.sqrt(1 - squaredEccentricity * sp * sp);
  const place = [
    (n + height) * cp * cl,
    (n + height) * cp * sl,
    (n * (1 - squaredEccentricity) + height) * sp,
  ];
  return [-sl, cl, 0, 0, -sp * cl, -sp * sl, cp, 0, cp * cl, cp * sl, sp, 0, ...place, 1];
}

function cubeGlb(half: number, colour: readonly number[]): Buffer {
  const corners = Float32Array.from({ length: 24 }, (_, i) =>
    (Math.floor(i / 3) >> (i % 3)) & 1 ? half : -half,
  );
  const faces = [
    0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7,
    3,
  ];
  const bin = Buffer.concat([Buffer.from(corners.buffer), Buffer.from(Uint16Array.from(faces).buffer)]);
  const gltf = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
    materials: [
      {
        pbrMetallicRoughness: { baseColorFactor: colour },
        doubleSided: true,
        extensions: { KHR_materials_unlit: {} },
      },
    ],
    extensionsUsed: ['KHR_materials_unlit'],
    accessors: [
      {
        bufferView: 0,
        componentType: 5126,
        count: 8,
        type: 'VEC3',
        min: [-half, -half, -half],
        max: [half, half, half],
      },
      { bufferView: 1, componentType: 5123, count: faces.length, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: corners.byteLength },
      { buffer: 0, byteOffset: corners.byteLength, byteLength: faces.length * 2 },
    ],
    buffers: [{ byteLength: bin.length }],
  };
  const text = Buffer.from(JSON.stringify(gltf));
  const json = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, 0x20)]);
  const head = (length: number, type: number) => Buffer.from(Uint32Array.of(length, type).buffer);
  const size = 12 + 8 + json.length + 8 + bin.length;
  const header = Buffer.from(Uint32Array.of(0x46546c67, 2, size).buffer);
  return Buffer.concat([header, head(json.length, 0x4e4f534a), json, head(bin.length, 0x004e4942), bin]);
}

/** Vector tiles of one full square each, those around a point on two zooms. */
export async function squareTiles(at: Point, zooms: readonly number[]): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-mbtiles-'));
  try {
    const path = join(folder, 'squares.mbtiles');
    const writer = createMbtilesWriter(path);
    for (const z of zooms) {
      const [x, y] = tileAt(at, z);
      for (let dx = -1; dx <= 1; dx++)
        for (let dy = -1; dy <= 1; dy++) writer.addTile(z, x + dx, y + dy, gzipSync(squareTile()));
    }
    const metadata = { name: 'Squares', vector_layers: [{ id: 'squares', fields: {} }] };
    const bounds = [at.lon - 0.1, at.lat - 0.1, at.lon + 0.1, at.lat + 0.1] as const;
    const [minZoom, maxZoom] = [Math.min(...zooms), Math.max(...zooms)];
    await writer.finish({
      metadata,
      minZoom,
      maxZoom,
      bounds: [...bounds],
      center: [at.lon, at.lat, minZoom],
    });
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function tileAt({ lon, lat }: Point, z: number): [x: number, y: number] {
  const sine = Math.sin((lat * Math.PI) / 180);
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return [Math.floor((lon / 360 + 0.5) * 2 ** z), Math.floor(y * 2 ** z)];
}

/** One polygon over the middle of the tile (Vector Tile Specification 2.1, 4.3). */
export function squareTile(layer = 'squares'): Buffer {
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];
  const zigzag = (value: number) => varint((value << 1) ^ (value >> 31));
  const field = (number: number, bytes: readonly number[]) => [
    (number << 3) | 2,
    ...varint(bytes.length),
    ...bytes,
  ];
  const [low, side] = [512, 3072];
  const corners = [side, 0, 0, side, -side, 0].flatMap(zigzag);
  const geometry = [9, ...zigzag(low), ...zigzag(low), 26, ...corners, 15];
  const feature = [0x18, 3, ...field(4, geometry)];
  const name = [...Buffer.from(layer)];
  return Buffer.from(field(3, [0x78, 2, ...field(1, name), ...field(2, feature), 0x28, ...varint(4096)]));
}
