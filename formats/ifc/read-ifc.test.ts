import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transformPosition } from '@platen/geo/geodesy/matrix';
import { emptyExtent, growExtent } from '../mesh/extent.ts';
import type { MeshModel } from '../mesh-model/mesh-model.ts';
import { answerTask, type IfcAnswer } from './answer-task.ts';
import { readIfc } from './read-ifc.ts';
import { ifcOfWall, mapConversion } from './testing.ts';

const read = (text: string): Promise<MeshModel> =>
  readIfc(Buffer.from(text), {
    onNotice(notice, detail) {
      if (text.length > 100) assert.fail(`${notice} ${detail}`);
    },
  });

function extentOf({ objects }: MeshModel) {
  const extent = emptyExtent();
  for (const { parts } of objects)
    for (const { positions } of parts)
      for (let i = 0; i < positions.length; i += 3)
        growExtent(extent, positions[i]!, positions[i + 1]!, positions[i + 2]!);
  const rounded = (corner: readonly number[]) => corner.map((value) => Math.round(value * 1e4) / 1e4 + 0);
  return [rounded(extent.min), rounded(extent.max)];
}

for (const schema of ['IFC2X3', 'IFC4', 'IFC4X3'])
  test(`products of ${schema} are in metres, upright, with their colour, storey and properties`, async () => {
    const model = await read(ifcOfWall({ schema }));
    const [wall, ...others] = model.objects;
    assert.deepEqual(others, []);
    assert.equal(wall!.name, '7$ScRe4drECQ4DMSqUjd6d');
    assert.equal(wall!.class, 'IfcWall');
    assert.deepEqual(Object.fromEntries(wall!.attributes), {
      Name: 'Straßenwand',
      Tag: 'W-1',
      ...(schema !== 'IFC2X3' && { PredefinedType: 'STANDARD' }),
      Storey: 'Ground floor',
      Building: 'House 1',
      'Pset_WallCommon.IsExternal': true,
      'Pset_WallCommon.FireRating': 'F90',
      'Pset_WallCommon.Manufacturer': 'Bricks',
      'Qto_WallBaseQuantities.NetSideArea': 30,
    });
    assert.deepEqual(extentOf(model), [
      [0, 0, 0.5],
      [10, 0.2, 3.5],
    ]);
    assert.deepEqual(model.materials[wall!.parts[0]!.material]!.colour, [0.8, 0.2, 0.1, 1]);
    assert.equal(model.place, undefined);
  });

test('a map conversion places the model, whatever its scale counts from', async () => {
  for (const [scale, unit] of [
    ['$', '$'],
    ['1.', '#102'],
    ['0.001', '#102'],
  ] as const) {
    const { place } = await read(ifcOfWall({ place: mapConversion(scale, unit) }));
    assert.ok(place?.kind === 'crs');
    assert.equal(place.crs, 'EPSG:25832');
    // the x axis points north
    const end = transformPosition(place.matrix, [10, 1, 3]);
    for (const [axis, value] of [689_999, 5_335_010, 523].entries())
      assert.ok(Math.abs(end[axis]! - value) < 1e-6, `${scale}, ${unit}: ${end.join(' ')}`);
  }
});

test('a map conversion in feet leads to feet, and an unknown system leaves the place to the site', async () => {
  for (const unit of ['$', '#103']) {
    const place = `#100=IFCPROJECTEDCRS('EPSG: 2263',$,$,$,$,$,${unit});
#101=IFCMAPCONVERSION(#25,#100,984250.,196850.,0.,1.,0.,$);
#103=IFCCONVERSIONBASEDUNIT(#104,.LENGTHUNIT.,'FOOT',#105);
#104=IFCDIMENSIONALEXPONENTS(1,0,0,0,0,0,0);
#105=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(0.3048006096),#106);
#106=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);`;
    const { place: found } = await read(ifcOfWall({ place }));
    assert.ok(found?.kind === 'crs');
    const [east, north] = transformPosition(found.matrix, [3.048_006, 0, 0]);
    assert.ok(Math.abs(east - 984_260) < 1e-3 && north === 196_850, `${unit}: ${east} ${north}`);
  }
  const place = `#100=IFCPROJECTEDCRS('Town grid',$,$,$,$,$,$);\n#101=IFCMAPCONVERSION(#25,#100,1.,2.,0.,1.,0.,$);`;
  const sited = await read(ifcOfWall({ place, site: '(52,0,0),(13,0,0),0.' }));
  assert.equal(sited.place?.kind, 'site');
  const unset = await read(ifcOfWall({ site: '(0,0,0),(0,0,0),0.' }));
  assert.equal(unset.place, undefined);
});

test('a site places the model by degrees, and by its true north', async () => {
  const site = '(52,31,12,500000),(-13,-24,0,0),34000.';
  const { place } = await read(ifcOfWall({ site, siteAt: '(1.E6,0.,0.)', north: '(1.,1.)' }));
  assert.ok(place?.kind === 'site');
  const { latitude, longitude, height, heading, origin } = place;
  assert.deepEqual(origin, [1000, 0, 0]);
  assert.ok(Math.abs(latitude - (52 + 31 / 60 + 12.5 / 3600)) < 1e-12);
  assert.equal(longitude, -13.4);
  assert.equal(height, 34);
  assert.ok(Math.abs(heading + 45) < 1e-12);
});

test('what is no IFC fails, and one that is cut off has what is there', async () => {
  await assert.rejects(read('hello'), { name: 'BytesError' });
  const text = ifcOfWall();
  for (const [end, count] of [
    [text.indexOf('#50='), 1],
    [text.indexOf('#31='), 0],
  ] as const) {
    const notices: string[] = [];
    const { objects } = await readIfc(Buffer.from(text.slice(0, end)), {
      onNotice: (notice) => notices.push(notice),
    });
    assert.equal(objects.length, count);
    assert.deepEqual(notices, ['truncated']);
  }
});

test('a product whose shape does not end is left out and named, and a file of them is refused', async () => {
  const notices: string[] = [];
  const reading = {
    maxMilliseconds: 5000,
    onNotice: (notice: string, detail: string) => notices.push(`${notice} ${detail}`),
  };
  const wall = (id: number, shape: string): string =>
    `#${id}=IFCWALL('2O2Fr$t4X7Zf8NOew3F${id}',#5,'Next',$,$,#48,${shape},'W-2',.STANDARD.);`;
  // a product definition without its representations, for which web-ifc looks for ever
  const text = ifcOfWall({ place: `${wall(90, '$')}\n${wall(91, '#45')}` }).replace(
    'SHAPE($,$,(#44))',
    'SHAPE($,$)',
  );
  await assert.rejects(readIfc(Buffer.from(text), reading), {
    name: 'BytesError',
    message: /several of its shapes, the last of #91, cannot be read/,
  });
  assert.deepEqual(notices, ['unsupportedPart #49']);
});

/** Walls on which web-ifc reads beyond its memory, as their shapes have a brace too many before a damaged instance, and a sound one. */
function ifcOfTraps(count: number): string {
  const wall = (id: number, shape: number): string =>
    `#${id}=IFCWALL('2O2Fr$t4X7Zf8NOew3F${id}',#5,'Next',$,$,#48,#${shape},'W-2',.STANDARD.);`;
  const traps = Array.from({ length: count }, (_, i) => 100 + i * 10).map(
    (id) =>
      `#${id}=IFCPRODUCTDEFINITIONSHAPE($,},(#44));\n${wall(id + 1, id)}\n#${id + 2}=IFCRECTANG41,4000.,200.);`,
  );
  return ifcOfWall({ place: [...traps, wall(900, 45)].join('\n') });
}

test('a product on which web-ifc reads beyond its memory is left out and named, and those behind it are read', async () => {
  const notices: string[] = [];
  const reading = {
    maxMilliseconds: 5000,
    onNotice: (notice: string, detail: string) => notices.push(`${notice} ${detail}`),
  };
  const { objects } = await readIfc(Buffer.from(ifcOfTraps(2)), reading);
  assert.deepEqual(
    objects.map(({ name }) => name),
    ['7$ScRe4drECQ4DMSqUjd6d', '2O2Fr$t4X7Zf8NOew3F900'],
  );
  assert.deepEqual(notices, ['unsupportedPart #101', 'unsupportedPart #111']);
  await assert.rejects(readIfc(Buffer.from(ifcOfTraps(11)), reading), {
    name: 'BytesError',
    message: /several of its shapes, the last of #191, cannot be read/,
  });
});

test('whatever web-ifc throws of a product, the file is read on from there in other memory', async (t) => {
  const { IfcAPI } = await import('web-ifc');
  const wall = `#900=IFCWALL('2O2Fr$t4X7Zf8NOew3F900',#5,'Next',$,$,#48,#45,'W-2',.STANDARD.);`;
  const content = Buffer.from(ifcOfWall({ place: wall }));
  for (const [name, thrown] of [
    // a pointer to an exception of C++
    ['GetLineType', 5_244_024],
    ['GetLineType', new WebAssembly.RuntimeError('table index is out of bounds')],
    ['GetFlatMesh', new WebAssembly.RuntimeError('unreachable')],
    ['GetFlatMesh', new WebAssembly.RuntimeError('Aborted(OOM)')],
    ['GetFlatMesh', new RangeError('Maximum call stack size exceeded')],
    ['GetLine', new WebAssembly.RuntimeError('memory access out of bounds')],
  ] as const) {
    const original = IfcAPI.prototype[name] as (...given: unknown[]) => unknown;
    const mock = t.mock.method(IfcAPI.prototype, name, function (this: unknown, model: number, id: number) {
      if (id === 900) throw thrown;
      return original.call(this, model, id);
    });
    const answers: IfcAnswer[] = [];
    await answerTask({ content, first: 0 }, (answer) => answers.push(answer));
    assert.deepEqual(
      answers.map(({ kind }) => kind),
      ['contents', 'product', 'trapped'],
      `${name}: ${String(thrown)}`,
    );
    mock.mock.restore();
  }
  const answers: IfcAnswer[] = [];
  await answerTask({ content, first: 1 }, (answer) => answers.push(answer));
  assert.deepEqual(
    answers.map(({ kind }) => kind),
    ['contents', 'product', 'end'],
  );
});

test('a shape that web-ifc refuses without harm is left out in the same memory', async (t) => {
  const { IfcAPI } = await import('web-ifc');
  t.mock.method(IfcAPI.prototype, 'GetFlatMesh', () => {
    throw 5_244_024;
  });
  const answers: IfcAnswer[] = [];
  await answerTask({ content: Buffer.from(ifcOfWall()), first: 0 }, (answer) => answers.push(answer));
  assert.deepEqual(
    answers.map((answer) => [answer.kind, answer.kind === 'product' ? answer.notices : []]),
    [
      ['contents', []],
      ['product', [['unsupportedPart', 'IfcWall #49']]],
      ['end', []],
    ],
  );
});
