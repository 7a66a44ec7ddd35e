import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { localFrameAt } from '@platen/geo/geodesy/local-frame';
import sharp from 'sharp';
import { afterFile } from '../../checks/clean-up.ts';
import { contentsOfGltf, unpackGltf } from '../models/mesh-files.ts';
import { bytesOf } from '@platen/formats/bytes/unpacked-bytes';
import { glbOfBox } from '../models/testing-meshes.ts';
import { testContext } from '../testing-context.ts';
import { decodeGlb } from '../tiles-object/testing-tileset.ts';
import { runTilesMesh } from './run.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-kept-textures-'));
afterFile(() => rm(folder, { recursive: true, force: true }));

const pngOf = (red: number, blue: number, alpha: number): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 8, channels: 4, background: { r: red, g: 0, b: blue, alpha } } })
    .png()
    .toBuffer();

/** A box with an image and a mask of its own. */
const tileOf = (image: Uint8Array, alphaCutoff: number): Uint8Array =>
  glbOfBox({
    image,
    change(json) {
      Object.assign((json['materials'] as object[])[0]!, { alphaMode: 'MASK', alphaCutoff });
    },
  });

test('contents of one tile keep their own textures and masks, even if their files have the same name', async () => {
  const frame = localFrameAt(11.5, 48.1, 520);
  const tileset = {
    asset: { version: '1.1' },
    geometricError: 100,
    root: {
      boundingVolume: { region: [0.2, 0.8, 0.2001, 0.8001, 0, 100] },
      geometricError: 0,
      transform: [...frame.east, 0, ...frame.north, 0, ...frame.up, 0, ...frame.origin, 1],
      contents: [{ uri: 'a/tile.glb' }, { uri: 'b/tile.glb' }],
    },
  };
  const path = join(folder, 'upload');
  const files = {
    'tileset.json': JSON.stringify(tileset),
    'a/tile.glb': tileOf(await pngOf(250, 0, 0.5), 0.25),
    'b/tile.glb': tileOf(await pngOf(0, 250, 0.5), 0.75),
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  const outputFolder = join(folder, 'output');
  await mkdir(outputFolder);
  const context = testContext({
    inputs: [{ path, name: 'upload', size: 1 }],
    outputFolder,
    scratchFolder: join(folder, 'scratch'),
    warn: (code, message) => assert.fail(`${code}: ${message}`),
  });
  await runTilesMesh({ output: { format: 'folder' } }, context);
  const names = await readdir(outputFolder, { recursive: true });
  const tile = names.find((name) => name.endsWith('.glb'));
  const { json, image } = await decodeGlb(await readFile(join(outputFolder, tile!)));
  const looks = await Promise.all(
    json.materials.map(async (material, number) => {
      const { alphaCutoff } = material as { readonly alphaCutoff?: number };
      const { data } = await sharp(image(number)).raw().toBuffer({ resolveWithObject: true });
      return [data[0]! > 200 ? 'red' : data[2]! > 200 ? 'blue' : 'none', alphaCutoff];
    }),
  );
  assert.deepEqual(new Map(looks as [string, number][]), new Map([['red', 0.25], ['blue', 0.75]])); // prettier-ignore
});

test('an image that a glTF names many times is read and written once', async () => {
  const image = await pngOf(1, 2, 1);
  const path = join(folder, 'many.glb');
  const bytes = glbOfBox({
    image,
    change: (json) => Object.assign(json, { images: Array(500).fill({ bufferView: 3 }) }),
  });
  await writeFile(path, bytes);
  const scratch = join(folder, 'images');
  await mkdir(scratch);
  const { images: files } = await unpackGltf({ path, name: 'many.glb' }, scratch);
  assert.equal(files.length, 500);
  assert.equal(files[499]!.name, 'many.glb#499');
  assert.equal((await readdir(scratch)).length, 1);
  assert.ok((await readFile(files[499]!.path)).equals(image));
});

test('views of the same bytes are one image', async () => {
  const bytes = glbOfBox({
    image: await pngOf(1, 2, 1),
    change(json) {
      const views = json['bufferViews'] as object[];
      const [{ bufferView }] = json['images'] as [{ bufferView: number }];
      const images = Array.from({ length: 500 }, () => ({ bufferView: views.push(views[bufferView]!) - 1 }));
      Object.assign(json, { images });
    },
  });
  const images = [...(await contentsOfGltf(bytesOf(bytes))).images.values()];
  assert.deepEqual([images.length, new Set(images).size], [500, 1]);
});

test('images that overlap so that they are larger than their file are left out', async () => {
  const bytes = glbOfBox({
    image: await pngOf(1, 2, 1),
    change(json) {
      const views = json['bufferViews'] as object[];
      const { byteLength } = (json['buffers'] as [{ byteLength: number }])[0];
      const images = Array.from({ length: 500 }, (_, byteOffset) => ({
        bufferView: views.push({ buffer: 0, byteOffset, byteLength: byteLength - byteOffset }) - 1,
      }));
      Object.assign(json, { images });
    },
  });
  const { images } = await contentsOfGltf(bytesOf(bytes));
  const total = [...images.values()].reduce((sum, one) => sum + one.length, 0);
  assert.ok(images.size > 0 && total <= bytes.length, `${images.size} images of ${total} bytes`);
});
