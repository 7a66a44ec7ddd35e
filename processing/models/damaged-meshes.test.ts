import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ifcOfWall } from '@platen/formats/ifc/testing';
import { packWithDraco } from '@platen/formats/mesh/draco/testing';
import { SourceError } from '@platen/formats/source/source';
import { afterFile } from '../../checks/clean-up.ts';
import { mutateBytes } from '../inspect/testing-subject.ts';
import { readMeshFile, type MeshFile } from './read-mesh-file.ts';
import { glbOfBox, objOfBoxes, plyOfBox, stlOfBox } from './testing-meshes.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-damaged-mesh-'));
afterFile(() => rm(folder, { recursive: true }));

/** CI makes 200. */
const mutants = 2 * Number(process.env['PLATEN_MUTANTS'] ?? 40);

const library = { path: join(folder, 'a.mtl'), name: 'a.mtl' };
await writeFile(library.path, 'newmtl wall\nKd 1 0 0\nmap_Kd a.png\n');

/** Reads a model: its triangles have vertices, and these are finite. @returns what was left out; undefined if refused */
async function read(mesh: MeshFile['mesh'], content: string | Uint8Array) {
  const path = join(folder, mesh);
  await writeFile(path, content);
  const notices = new Set<string>();
  const file = { path, name: `model.${mesh}`, size: content.length, mesh };
  try {
    const { objects, materials } = await readMeshFile(file, {
      sides: [library],
      maxMilliseconds: 5000,
      onNotice: (notice) => notices.add(notice),
    });
    let triangles = 0;
    for (const { parts } of objects) {
      for (const { positions, uvs, colours, indices, material } of parts) {
        const count = positions.length / 3;
        assert.ok(material < materials.length);
        assert.ok(uvs === undefined || uvs.length === count * 2);
        assert.ok(colours === undefined || colours.length === count * 4);
        assert.equal(indices.length % 3, 0);
        for (const index of indices)
          for (let axis = 0; axis < 3; axis++) assert.ok(Number.isFinite(positions[index * 3 + axis]!));
        triangles += indices.length / 3;
      }
    }
    return { notices: [...notices], triangles };
  } catch (error) {
    if (error instanceof SourceError) return undefined;
    throw error;
  }
}

const [at, size] = [
  [0, 0, 0],
  [20, 10, 5],
] as const;
const glb = glbOfBox({ image: Buffer.from('an image'), extras: { a: 1, b: { c: 'd' } } });
const samples = {
  obj: objOfBoxes({ a: [at, size], b: [[30, 0, 0], size] }, 'mtllib a.mtl'),
  gltf: glb,
  'gltf with Draco': await packWithDraco(glb),
  'gltf with Draco in sequence': await packWithDraco(glb, { method: 'sequential', bits: 12 }),
  ply: plyOfBox(at, size),
  stl: stlOfBox(at, size),
  ifc: ifcOfWall(),
} as const;

for (const [format, content] of Object.entries(samples)) {
  test(`damaged files of ${format} are refused or read, and what is read can be drawn`, async () => {
    const mesh = format.split(' ')[0] as MeshFile['mesh'];
    assert.deepEqual(await read(mesh, content), { notices: [], triangles: format === 'obj' ? 24 : 12 });
    for (let seed = 0; seed < mutants; seed++) await read(mesh, mutateBytes(Buffer.from(content), seed));
  });
}

test('indices out of range, numbers that are none and too many corners are left out, and named', async () => {
  const vertices = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv nan 0 0\nv 1e999 0 0\n';
  assert.deepEqual(
    await read('obj', `${vertices}f 1 2 3\nf 1 2 9\nf 1 2 -7\nf 0 1 2\nf 1 2 4\nf 1 2 5\nf 1 2\n`),
    {
      notices: ['badIndices', 'badPositions', 'badPolygon'],
      triangles: 1,
    },
  );
  const long = `${vertices}f 1 2 3\nf ${'1 2 3 '.repeat(50_000)}\n`;
  assert.deepEqual(await read('obj', long), { notices: ['badPolygon'], triangles: 1 });
});

test('a glTF with nodes in a circle, and buffers that end too early, has what can be read', async () => {
  const circle = glbOfBox({
    change(json) {
      const nodes = json['nodes'] as { children?: number[] }[];
      nodes[1]!.children = [0];
    },
  });
  assert.deepEqual(await read('gltf', circle), { notices: ['circularNodes'], triangles: 12 });
  const short = glbOfBox({
    change(json) {
      const views = json['bufferViews'] as { byteOffset: number }[];
      views[0]!.byteOffset = 1_000_000;
    },
  });
  assert.deepEqual(await read('gltf', short), { notices: ['badPositions'], triangles: 0 });
  const draco = glbOfBox({
    change(json) {
      const [mesh] = json['meshes'] as { primitives: { extensions?: object }[] }[];
      mesh!.primitives[0]!.extensions = { KHR_draco_mesh_compression: {} };
      for (const accessor of json['accessors'] as object[])
        delete (accessor as { bufferView?: 0 }).bufferView;
    },
  });
  assert.deepEqual(await read('gltf', draco), { notices: ['badPositions'], triangles: 0 });
  const ktx2 = glbOfBox({
    image: Buffer.from('an image'),
    change(json) {
      json['textures'] = [{ extensions: { KHR_texture_basisu: { source: 0 } } }];
    },
  });
  assert.deepEqual(await read('gltf', ktx2), { notices: ['unsupportedPart'], triangles: 12 });
});

test('a sparse accessor replaces elements of its view, or zeros', async () => {
  /** A box whose indices at a place and at 5 are 1. Those beyond the 36 that it has make all others 0. */
  const sparse = (count: number, place: number, replaced = 2) =>
    glbOfBox({
      image: Buffer.from(Uint16Array.of(place, 5, 1, 1).buffer),
      change(json) {
        const [, indices] = json['accessors'] as Record<string, unknown>[];
        if (count > 36) delete indices!['bufferView'];
        indices!['count'] = count;
        indices!['sparse'] = {
          count: replaced,
          indices: { bufferView: 3, componentType: 5123 },
          values: { bufferView: 3, byteOffset: 4 },
        };
        json['textures'] = [];
      },
    });
  const indicesOf = async (content: Uint8Array): Promise<Uint32Array | undefined> => {
    const path = join(folder, 'sparse.glb');
    await writeFile(path, content);
    const file = { path, name: 'sparse.glb', size: content.length, mesh: 'gltf' } as const;
    const { objects } = await readMeshFile(file, { sides: [], maxMilliseconds: 5000, onNotice: () => {} });
    return objects[0]?.parts[0]?.indices;
  };
  const plain = (await indicesOf(glbOfBox()))!;
  assert.deepEqual(await indicesOf(sparse(36, 3)), plain.with(3, 1).with(5, 1));
  const zeros = new Uint32Array(39).with(3, 1).with(5, 1);
  assert.deepEqual(await indicesOf(sparse(39, 3)), zeros);
  assert.equal(await indicesOf(sparse(36, 36)), undefined);
  const refused = { notices: ['badIndices'], triangles: 0 };
  assert.deepEqual(await read('gltf', sparse(2 ** 31, 3)), refused);
  assert.deepEqual(await read('gltf', sparse(2 ** 34, 3, 2 ** 30)), refused, 'both counts lie');
});

test('concave faces are divided within their outline', async () => {
  const corner = 'v 0 0 0\nv 4 0 0\nv 4 1 0\nv 1 1 0\nv 1 4 0\nv 0 4 0\nf 1 2 3 4 5 6\n';
  assert.deepEqual(await read('obj', corner), { notices: [], triangles: 4 });
});
