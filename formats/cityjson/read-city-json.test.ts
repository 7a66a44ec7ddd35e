import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { surfaceRoles } from '../city-object/surface-roles.ts';
import type { CityObject } from '../city-object/city-object.ts';
import { SourceError } from '../source/source.ts';
import { readCityJson } from './read-city-json.ts';

function read(content: string | Uint8Array, theme?: string) {
  const objects: CityObject[] = [];
  const notices: string[] = [];
  const details: string[] = [];
  const crs: (string | undefined)[] = [];
  readCityJson(Buffer.from(content), {
    theme,
    onCrs: (name) => crs.push(name),
    onObject: (object) => objects.push(object),
    onNotice(notice, id, detail) {
      notices.push(`${notice} ${id}`);
      details.push(detail);
    },
    onRead: () => {},
  });
  return { objects, notices, details, crs };
}

const vertices = [
  [0, 0, 0],
  [1000, 0, 0],
  [1000, 1000, 0],
  [0, 1000, 0],
  [0, 0, 3000],
];
const head = {
  type: 'CityJSON',
  version: '2.0',
  transform: { scale: [0.001, 0.001, 0.001], translate: [10, 20, 30] },
  metadata: { referenceSystem: 'https://www.opengis.net/def/crs/EPSG/0/7415' },
};

const house = {
  a: {
    type: 'Building',
    attributes: { height: 3, code: '07', listed: true, nested: { level: 1 }, list: [1, 2] },
    children: ['b'],
  },
  b: {
    type: 'BuildingPart',
    parents: ['a'],
    geometry: [
      {
        type: 'Solid',
        lod: '2.2',
        boundaries: [[[[0, 1, 2, 3]], [[0, 1, 4]]]],
        semantics: { surfaces: [{ type: 'GroundSurface' }, { type: 'WallSurface' }], values: [[0, 1]] },
        texture: { rgb: { values: [[[[null]], [[0, 0, 1, 2]]]] } },
        material: { rgb: { values: [[0, null]] } },
      },
    ],
  },
};

const appearance = {
  materials: [{ name: 'red', diffuseColor: [1, 0, 0], transparency: 0.5 }],
  textures: [{ type: 'PNG', image: 'a.png', wrapMode: 'wrap' }],
  'vertices-texture': [
    [0, 0],
    [1, 0],
    [0.5, 1],
  ],
};

test('parts, semantics, textures and materials are read, in real coordinates', () => {
  const { objects, notices, crs } = read(
    JSON.stringify({ ...head, appearance, CityObjects: house, vertices }),
  );
  assert.deepEqual([notices, crs], [[], [head.metadata.referenceSystem]]);
  const [object] = objects as [CityObject];
  assert.deepEqual(
    object.parts.map(({ id, class: name, parent }) => [id, name, parent]),
    [
      ['a', 'Building', -1],
      ['b', 'BuildingPart', 0],
    ],
  );
  assert.deepEqual(Object.fromEntries(object.parts[0]!.attributes), {
    height: 3,
    code: '07',
    listed: true,
    'nested.level': 1,
    list: '1; 2',
  });
  const [{ part, lod, isSolid, surfaces }] = object.geometries as [CityObject['geometries'][number]];
  assert.deepEqual([part, lod, isSolid], [1, 22, true]);
  assert.deepEqual([...surfaces.positions.subarray(0, 6)], [10, 20, 30, 11, 20, 30]);
  assert.deepEqual(
    surfaces.roles.map((role) => surfaceRoles[role]),
    ['ground', 'wall'],
  );
  assert.deepEqual(
    surfaces.looks.map((look) => object.looks[look]),
    [{ colour: [1, 0, 0, 0.5] }, { image: 'a.png', repeats: true }],
  );
  assert.deepEqual([...surfaces.uvs!.subarray(8)], [0, 0, 1, 0, 0.5, 1]);
});

test('of several themes that with most textures is shown, or the one asked for, and attributes of surfaces are named', () => {
  const geometry = {
    ...house.b.geometry[0],
    semantics: {
      surfaces: [{ type: 'GroundSurface' }, { type: 'WallSurface', slope: 90 }],
      values: [[0, 1]],
    },
    texture: {
      autumn: { values: [[[[null]], [[0, 0, 1, 2]]]] },
      summer: { values: [[[[1, 0, 1, 2, 0]], [[1, 0, 1, 2]]]] },
    },
  };
  const textures = ['a.png', 'b.png'].map((image) => ({ type: 'PNG', image }));
  const content = JSON.stringify({
    ...head,
    appearance: { ...appearance, textures },
    CityObjects: { a: house.a, b: { ...house.b, geometry: [geometry] } },
    vertices,
  });
  const imagesOf = (theme?: string): unknown[] => {
    const { objects, notices } = read(content, theme);
    assert.deepEqual(notices, ['surfaceAttribute a']);
    return objects[0]!.looks.map(({ image }) => image);
  };
  assert.deepEqual(imagesOf(), ['b.png']);
  assert.deepEqual(imagesOf('autumn'), ['a.png']);
});

test('version 1.0, templates and extension objects are read', () => {
  const template = { type: 'MultiSurface', lod: 2, boundaries: [[[0, 1, 2]]] };
  const instance = {
    type: 'GeometryInstance',
    template: 0,
    boundaries: [4],
    transformationMatrix: [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 1, 0, 0, 0, 1],
  };
  const { objects, notices } = read(
    JSON.stringify({
      ...head,
      version: '1.0',
      'geometry-templates': {
        templates: [template],
        'vertices-templates': [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
        ],
      },
      CityObjects: {
        tree: { type: 'SolitaryVegetationObject', geometry: [instance] },
        shed: { type: '+GardenShed', geometry: [{ ...template, lod: 1 }] },
      },
      vertices,
    }),
  );
  assert.deepEqual(notices, []);
  const [tree, shed] = objects as [CityObject, CityObject];
  assert.deepEqual(tree.geometries[0]!.anchor, [10, 20, 33]);
  assert.deepEqual([...tree.geometries[0]!.surfaces.positions.subarray(0, 9)], [0, 0, 1, 2, 0, 1, 0, 2, 1]);
  assert.deepEqual([shed.parts[0]!.class, shed.geometries[0]!.lod], ['+GardenShed', 10]);
});

test('a sequence is read line by line, with the head of its first line', () => {
  const line = (id: string) =>
    JSON.stringify({
      type: 'CityJSONFeature',
      id,
      CityObjects: {
        [id]: { type: 'Building', geometry: [{ type: 'MultiSurface', lod: '1', boundaries: [[[0, 1, 2]]] }] },
      },
      vertices,
    });
  const first = JSON.stringify({ ...head, CityObjects: {}, vertices: [] });
  const { objects, crs } = read(`${[first, line('a'), line('b')].join('\n')}\n`);
  assert.deepEqual(
    objects.map(({ parts }) => parts[0]!.id),
    ['a', 'b'],
  );
  assert.deepEqual([...objects[1]!.geometries[0]!.surfaces.positions.subarray(3, 6)], [11, 20, 30]);
  assert.equal(crs.length, 1);
});

test('a sequence is searched for groups and parents once, however many lines it has', (t) => {
  let searched = 0;
  const { indexOf } = Buffer.prototype;
  t.mock.method(Buffer.prototype, 'indexOf', function (this: Buffer, ...what: Parameters<typeof indexOf>) {
    searched += this.length;
    return indexOf.apply(this, what);
  });
  const line = (i: number) =>
    JSON.stringify({ type: 'CityJSONFeature', CityObjects: { [i]: { type: 'Building' } }, vertices: [] });
  const lines = [JSON.stringify({ ...head, CityObjects: {}, vertices: [] })];
  for (let i = 0; i < 500; i++) lines.push(line(i));
  const content = lines.join('\n');
  assert.equal(read(content).objects.length, 500);
  assert.ok(searched > 0 && searched <= content.length * 2, `${searched} of ${content.length} bytes`);
});

test('cycles, orphans, bad indices and objects without a type are named', () => {
  const geometry = [{ type: 'MultiSurface', lod: '1', boundaries: [[[0, 1, 99]]] }];
  const { objects, notices } = read(
    JSON.stringify({
      ...head,
      CityObjects: {
        a: { type: 'BuildingPart', parents: ['b'], children: ['b'] },
        b: { type: 'BuildingPart', parents: ['a'], children: ['a'] },
        orphan: { type: 'BuildingPart', parents: ['gone'] },
        bad: { type: 'Building', geometry },
        nothing: 5,
      },
      vertices,
    }),
  );
  assert.deepEqual(
    objects.map(({ parts }) => parts.map(({ id }) => id)),
    [['bad'], ['orphan'], ['a', 'b']],
  );
  assert.deepEqual(notices, [
    'badIndices bad',
    'brokenObject nothing',
    'missingParent orphan',
    'circularParts a',
  ]);
});

test('an object that seems to name very many parents is read in time that grows with its size', (t) => {
  const count = 10_000;
  const names = Array.from({ length: count }, (_, i) => `house ${i}`);
  const houses = Object.fromEntries(names.map((name) => [name, { type: 'Building' }]));
  const crowd = { type: 'BuildingPart', attributes: { parents: names }, parents: ['house 9999'] };
  const text = JSON.stringify({ ...head, CityObjects: { ...houses, crowd }, vertices });
  const { parse } = JSON;
  let parsed = 0;
  t.mock.method(JSON, 'parse', (...given: Parameters<typeof parse>): unknown => {
    parsed += given[0].length;
    return parse(...given);
  });
  const { objects } = read(text);
  assert.equal(objects.length, count);
  assert.deepEqual(
    objects.at(-1)!.parts.map(({ id }) => id),
    ['house 9999', 'crowd'],
  );
  assert.ok(parsed > 0 && parsed < 10 * text.length, `${parsed} characters parsed of ${text.length}`);
});

test('parts join their parents wherever these are, and stay together where the uppermost one is missing', () => {
  const part = (...parents: string[]) => ({ type: 'BuildingPart', parents });
  const { objects, notices, details } = read(
    JSON.stringify({
      ...head,
      CityObjects: {
        // its parent comes later, and does not name it
        unnamed: { attributes: { parents: ['gone'] }, ...part('a') },
        named: part('a'),
        a: { type: 'Building', children: ['named'] },
        inner: part('orphan'),
        orphan: part('gone', 'lost'),
        // of no parent: the name is in an attribute
        other: { type: 'Building', attributes: { parents: ['a'] } },
      },
      vertices,
    }),
  );
  assert.deepEqual(
    objects.map(({ parts }) => parts.map(({ id, parent }) => [id, parent])),
    [
      [
        ['a', -1],
        ['named', 0],
        ['unnamed', 0],
      ],
      [
        ['orphan', -1],
        ['inner', 0],
      ],
      [['other', -1]],
    ],
  );
  assert.deepEqual([notices, details], [['missingParent orphan'], ['gone, lost']]);
});

test('damaged files are refused or read, but nothing else', () => {
  const whole = Buffer.from(JSON.stringify({ ...head, appearance, CityObjects: house, vertices }));
  const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 });
  fc.assert(
    fc.property(fc.nat(whole.length), damage, (length, changes) => {
      const bytes = Buffer.from(whole.subarray(0, length));
      for (const [at, value] of changes) if (at < length) bytes[at] = value;
      try {
        read(bytes);
      } catch (error) {
        assert.ok(error instanceof SourceError, String(error));
      }
    }),
  );
});
