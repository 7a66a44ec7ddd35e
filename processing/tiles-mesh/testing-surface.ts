import { createGlbBuffer, writeGlb } from '@platen/formats/gltf/write-glb';
import sharp from 'sharp';

/** A hilly surface of a square, `side` metres wide, as a grid of `cells` × `cells` quads. */
export interface SampleSurface {
  readonly side: number;
  readonly cells: number;
}

/** Metres above the origin. */
export const heightAt = ({ side }: SampleSurface, x: number, y: number): number =>
  (side / 20) * Math.sin((x / side) * 7) * Math.cos((y / side) * 5) +
  (side / 200) * Math.sin(x * y * (40 / side ** 2));

type Triple = readonly [number, number, number];
type Area = readonly [west: number, south: number, east: number, north: number];

/**
 * A part of it as an OBJ, from one corner to another in shares of its side, with image coordinates over all of it.
 * Parts that meet have equal vertices.
 */
export function objOfSurface(
  surface: SampleSurface,
  area?: Area,
  head = 'mtllib photo.mtl\nusemtl photo',
): string {
  const { vertices, triangles } = gridOf(surface, area);
  const corner = (vertex: number): string => `${vertex + 1}/${vertex + 1}`;
  return [
    head,
    ...vertices.map(({ place, uv }) => `v ${place.join(' ')}\nvt ${uv.join(' ')}`),
    ...triangles.map((triangle) => `f ${triangle.map(corner).join(' ')}`),
    '',
  ].join('\n');
}

/** A part of it as a GLB, with the picture. */
export function glbOfSurface(surface: SampleSurface, area: Area, picture: Uint8Array): Uint8Array {
  const { vertices, triangles } = gridOf(surface, area);
  const buffer = createGlbBuffer();
  const view = (numbers: Float32Array | Uint32Array): number =>
    buffer.addView(new Uint8Array(numbers.buffer));
  // y upwards
  const places = Float32Array.from(vertices.flatMap(({ place: [x, y, z] }) => [x, z, -y]));
  const accessors = [
    { bufferView: view(places), componentType: 5126, count: vertices.length, type: 'VEC3' },
    {
      bufferView: view(Float32Array.from(vertices.flatMap(({ uv: [u, v] }) => [u, 1 - v]))),
      componentType: 5126,
      count: vertices.length,
      type: 'VEC2',
    },
    {
      bufferView: view(Uint32Array.from(triangles.flat())),
      componentType: 5125,
      count: triangles.length * 3,
      type: 'SCALAR',
    },
  ];
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, indices: 2, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    textures: [{ source: 0 }],
    images: [{ bufferView: buffer.addView(picture), mimeType: 'image/png' }],
    accessors,
    bufferViews: buffer.bufferViews,
    buffers: [{ byteLength: buffer.length }],
  };
  return writeGlb(json, buffer.content());
}

function gridOf(surface: SampleSurface, [west, south, east, north]: Area = [0, 0, 1, 1]) {
  const { side, cells } = surface;
  const [x0, y0, x1, y1] = [west, south, east, north].map((share) => Math.round(share * cells)) as [
    number,
    number,
    number,
    number,
  ];
  const vertices: { place: Triple; uv: readonly [u: number, v: number] }[] = [];
  for (let y = y0; y <= y1; y++)
    for (let x = x0; x <= x1; x++) {
      const [metresX, metresY] = [(x / cells) * side, (y / cells) * side];
      const place = [metresX, metresY, heightAt(surface, metresX, metresY)] as const;
      vertices.push({ place, uv: [x / cells, y / cells] });
    }
  const across = x1 - x0 + 1;
  const triangles: Triple[] = [];
  for (let y = 0; y < y1 - y0; y++)
    for (let x = 0; x < across - 1; x++) {
      const [a, b] = [y * across + x, (y + 1) * across + x];
      triangles.push([a, a + 1, b + 1], [a, b + 1, b]);
    }
  return { vertices, triangles };
}

export const library = 'newmtl photo\nmap_Kd photo.png\n';

/** A picture in which red grows to the east, and green to the north. */
export function gradient(side: number): Promise<Buffer> {
  const pixels = Buffer.alloc(side * side * 3);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      pixels.set([Math.round((x / side) * 255), Math.round((1 - y / side) * 255), 60], (y * side + x) * 3);
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}
