import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findCrs } from '@platen/formats/crs/find-crs';
import { openHeightTransform } from '@platen/formats/geoid/height-transform';
import { SourceError } from '@platen/formats/source/source';
import fc from 'fast-check';
import { afterFile } from '../../checks/clean-up.ts';
import { drawnMesh } from './tile/testing-drawn.ts';
import { makeShapes } from './shape/make-shapes.ts';
import type { ModelFile } from './source/model-file.ts';
import { probeModel, readModel } from './source/read-model.ts';
import { boxFaces, cityGml, houseXml } from './testing-models.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-damaged-city-'));
afterFile(() => rm(folder, { recursive: true }));

const runs = Number(process.env['PLATEN_FUZZ_RUNS'] ?? 200);
const appearance =
  '<app:appearance><app:Appearance><app:theme>rgb</app:theme><app:surfaceDataMember><app:ParameterizedTexture><app:imageURI>a.png</app:imageURI><app:target uri="#a_1"><app:TexCoordList><app:textureCoordinates ring="#a_1_ring">0 0 1 0 1 1 0 1 0 0</app:textureCoordinates></app:TexCoordList></app:target></app:ParameterizedTexture></app:surfaceDataMember></app:Appearance></app:appearance>';
const gml = cityGml(
  houseXml({ id: 'a', at: [500_000, 5_500_000, 100], more: appearance }) +
    houseXml({ id: 'b', at: [500_050, 5_500_000, 100] }).replace('#b_2"', '#a_2"'),
);

function cityJson(): string {
  const vertices: number[][] = [];
  const boundaries = boxFaces([0, 0, 0], [10_000, 8000, 6000]).map(([, ring]) => [
    ring.map((point) => vertices.push([...point]) - 1),
  ]);
  const semantics = {
    surfaces: boxFaces([0, 0, 0], [1, 1, 1]).map(([type]) => ({ type })),
    values: [[0, 1, 2, 3, 4, 5]],
  };
  return JSON.stringify({
    type: 'CityJSON',
    version: '2.0',
    transform: { scale: [0.001, 0.001, 0.001], translate: [500_000, 5_500_000, 0] },
    metadata: { referenceSystem: 'EPSG:25832' },
    CityObjects: {
      a: { type: 'Building', attributes: { n: 1, deep: { x: [1, { y: 2 }] } }, children: ['b'] },
      b: {
        type: 'BuildingPart',
        parents: ['a'],
        geometry: [{ type: 'Solid', lod: '2', boundaries: [boundaries], semantics }],
      },
    },
    vertices,
  });
}

const placing = {
  crs: findCrs('EPSG:25832'),
  heights: openHeightTransform({ metresPerUnit: 1, isDepth: false }, undefined),
  isFlat: false,
  offset: 0,
};

/** Reads a model to the end: what it has is finite, whatever the file says. */
async function readShapes(file: ModelFile): Promise<number> {
  let count = 0;
  await probeModel(file);
  await readModel(file, {
    hasAppearances: true,
    theme: undefined,
    translate: undefined,
    onCrs: () => {},
    onNotice: () => {},
    onRead: () => {},
    onObject(object) {
      const options = {
        placing,
        byPart: false,
        maxLod: Infinity,
        hasInteriors: true,
        hasClosures: true,
        findImage: () => 0,
      };
      for (const { region, representations, goneError } of makeShapes(object, options).shapes) {
        count++;
        assert.ok(
          [...region, goneError].every((value) => Number.isFinite(value)),
          region.join(),
        );
        for (const representation of representations) {
          const mesh = drawnMesh(representation);
          assert.ok(Number.isFinite(representation.error));
          assert.ok(mesh.positions.every((value) => Number.isFinite(value)));
          assert.ok(mesh.indices.every((index) => index * 3 < mesh.positions.length));
        }
      }
    },
  });
  return count;
}

const pieces = [
  'NaN',
  '1e300',
  '-1e308',
  '0',
  '99999999999',
  '',
  '"',
  '<',
  '/>',
  'null',
  '[]',
  '{}',
  '#a',
  '5500000',
  ' ',
];

for (const [format, text] of [
  ['citygml', gml],
  ['cityjson', cityJson()],
] as const) {
  test(`damaged files of ${format} are refused or read, and what is read is finite`, async () => {
    const path = join(folder, format);
    const file = (size: number): ModelFile => ({ path, name: format, size, format, crs: undefined });
    await writeFile(path, text);
    assert.ok((await readShapes(file(text.length))) > 0);
    const change = fc.tuple(fc.nat(text.length - 1), fc.nat(12), fc.constantFrom(...pieces));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        let damaged: string = text;
        for (const [at, length, piece] of changes)
          damaged = damaged.slice(0, at) + piece + damaged.slice(at + length);
        await writeFile(path, damaged);
        try {
          await readShapes(file(damaged.length));
        } catch (error) {
          if (!(error instanceof SourceError)) throw error;
        }
      }),
      { numRuns: runs },
    );
  });
}
