import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { digestOf, startService } from '../../testing.ts';
import { addDatasource, sampleModule } from './testing.ts';

const service = await startService();
const { admin } = service;

const newProject = async (managerId?: string) => {
  const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
  return (await admin.postProject({ body, query: managerId === undefined ? {} : { managerId } }))._id;
};
const projectId = await newProject();
const params = { projectId };

const post = (body: object) => admin.postProjectModule({ params, body: body as never });
const errorsOf = async (body: object): Promise<string[]> => {
  const failure = (await post(body).then(
    () => assert.fail('it was accepted'),
    (error: unknown) => error,
  )) as { status: number; errors: { pointer: string; code: string }[] };
  assert.ok(failure.status === 400, `status ${failure.status}`);
  return failure.errors.map(({ pointer, code }) => `${pointer} ${code}`);
};
const warningsOf = async (body: object) =>
  (await post(body)).warnings!.map(({ pointer, code }) => `${pointer} ${code}`);

test('the sample of the API is accepted and returned completely', async () => {
  const module = await post(sampleModule);
  const { layers, maps, contentTree, startingMapName, viewpoints, properties } = module;
  assert.deepEqual(
    { layers, maps, contentTree, startingMapName, properties },
    {
      layers: sampleModule.layers,
      maps: sampleModule.maps,
      contentTree: sampleModule.contentTree,
      startingMapName: 'globe',
      properties: {},
    },
  );
  assert.deepEqual(viewpoints, []);
  assert.equal(module.projectId, projectId);
  assert.deepEqual(await admin.getProjectModule({ params: { ...params, moduleId: module._id } }), module);
  const { items } = await admin.getProjectModules({ params });
  assert.deepEqual(
    items.map(({ _id, warnings }) => [_id, warnings]),
    [[module._id, undefined]],
  );
  assert.deepEqual(
    module.warnings!.map(({ pointer, code }) => [pointer, code]),
    [['/layers/0', 'foreignHost']],
  );
});

test('a module with only a name has four empty lists', async () => {
  const { layers, maps, contentTree, viewpoints, properties, description } = await post({ name: 'empty' });
  assert.deepEqual([layers, maps, contentTree, viewpoints], [[], [], [], []]);
  assert.deepEqual([properties, description], [{}, '']);
});

test('any JSON in a module is returned as the same text', async () => {
  // JavaScript itself moves integer-like keys to the front.
  const key = fc
    .string({ unit: 'grapheme', maxLength: 8 })
    .filter((text) => !/^\d+$/.test(text) && text !== '__proto__' && text !== 'datasourceId');
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('list'), tie('object')),
    leaf: fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => value + 0),
      fc.boolean(),
      fc.constant(null),
    ),
    list: fc.array(tie('tree'), { maxLength: 3 }),
    object: fc.dictionary(key, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  }));
  const text = (value: unknown) => JSON.stringify(value);
  await fc.assert(
    fc.asyncProperty(tree, tree, async (one, other) => {
      if (text([one, other]).includes('\\u0000')) return;
      const content = {
        uiConfig: [{ value: one, name: 'x' }],
        layers: [{ zz: other, name: 'l', type: 'VectorLayer', aa: one }],
        ourOwnKey: other,
      };
      const module = await post({ ...content, name: 'any' });
      const read = await admin.getProjectModule({ params: { ...params, moduleId: module._id } });
      const { uiConfig, layers, ourOwnKey } = read as typeof read & { ourOwnKey: unknown };
      assert.equal(text({ uiConfig, layers, ourOwnKey }), text(content));
    }),
    { numRuns: 60 },
  );
});

test('everything that the map viewer would drop is refused, each with its pointer', async () => {
  const errors = await errorsOf({
    name: 'bad',
    layers: [
      { name: 'no type' },
      { type: 'GeoJSONLayer' },
      { type: 'GeoJSONLayer', name: 'a', url: 7 },
      { type: 'GeoJSONLayer', name: 'a', url: { de: '/a', en: '/b' }, extent: { coordinates: [1, 2, 3] } },
      { type: 'VectorTileLayer', name: 'tiles', tileProvider: { url: 1 } },
      { type: 'GeoJSONLayer', name: 'source', datasourceId: 5 },
    ],
    maps: [{ type: 'CesiumMap', name: 'globe' }, { type: 'OpenlayersMap', name: 'globe' }, { name: '' }],
    viewpoints: [
      { name: 'far', groundPosition: [500, 0], distance: 1 },
      { name: 'half', distance: 5 },
      { name: 'turned', cameraPosition: [5, 0, 100], heading: 'north' },
    ],
    contentTree: [{ type: 'LayerContentTreeItem', layerName: 'a' }],
    i18n: [{ de: {} }],
    projection: {},
    hiddenObjects: [{}],
    obliqueCollections: [{ name: 'o' }, { name: 'p', dataSets: [{}] }],
  });
  assert.deepEqual(
    errors.toSorted(),
    [
      '/contentTree/0/name required',
      '/hiddenObjects/0/id required',
      '/i18n/0/name required',
      '/layers/0/type required',
      '/layers/1/name required',
      '/layers/2/url type',
      '/layers/3/extent/coordinates type',
      '/layers/3/name duplicate',
      '/layers/4/tileProvider/type required',
      '/layers/4/tileProvider/url type',
      '/layers/5/datasourceId type',
      '/maps/1/name duplicate',
      '/maps/2/name required',
      '/maps/2/type required',
      '/obliqueCollections/0/dataSets required',
      '/obliqueCollections/1/dataSets/0/url required',
      '/projection/epsg required',
      '/viewpoints/0/groundPosition type',
      '/viewpoints/1 incomplete',
      '/viewpoints/2/heading type',
    ].toSorted(),
  );
});

test('wrong shapes and hostile bodies are refused and change nothing', async () => {
  const before = await digestOf(service.context);
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
  const bodies: [number, unknown][] = [
    [400, { name: 'x', layers: {} }],
    [400, { name: 'x', layers: [null] }],
    [400, { name: 'x', maps: ['globe'] }],
    [400, { name: 'x', startingMapName: 5 }],
    [400, { name: '' }],
    [400, { layers: [] }],
    [400, []],
    [400, { name: 'x', projection: [] }],
    [400, { name: 'x', own: nested(80) }],
    [400, { name: 'x', own: 'nul \0' }],
    [400, { name: 'x', own: '\ud800' }],
    [413, { name: 'x', own: 'a'.repeat(1_048_577) }],
    [422, { name: 'x', layers: [{ type: 'GeoJSONLayer', name: 'x', datasourceId: 'none' }] }],
    [400, { name: 'x', layers: Array.from({ length: 20_000 }, () => ({})) }],
  ];
  for (const [status, body] of bodies) await assert.rejects(post(body as object), { status });
  const raw = await service.app.inject({
    method: 'POST',
    url: `/api/v1/project/${projectId}/module`,
    headers: { authorization: `Bearer ${service.adminToken}`, 'content-type': 'application/json' },
    payload: '{"name":"x","layers":[{"type":"Layer","name":"x","__proto__":{"a":1}}]}',
  });
  assert.equal(raw.statusCode, 400);
  assert.equal(await digestOf(service.context), before);
});

test('the limits of size and depth are exact to the byte and the level, and nothing is cut off', async () => {
  const filled = (bytes: number) => ({ own: 'ü'.repeat(4) + 'a'.repeat(bytes - 8 - '{"own":""}'.length) });
  const largest = await post({ name: 'x', ...filled(1_048_576) });
  const { own } = (await admin.getProjectModule({
    params: { ...params, moduleId: largest._id },
  })) as unknown as {
    own: string;
  };
  assert.equal(Buffer.byteLength(JSON.stringify({ own })), 1_048_576);
  await assert.rejects(post({ name: 'x', ...filled(1_048_577) }), { status: 413 });
  // The module itself is the first level; the innermost number is not a level.
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
  const deepest = await post({ name: 'x', own: nested(63) });
  const read = await admin.getProjectModule({ params: { ...params, moduleId: deepest._id } });
  assert.deepEqual((read as unknown as { own: unknown }).own, nested(63));
  const tooDeep = (await post({ name: 'x', own: nested(64) }).catch((error: unknown) => error)) as Error;
  assert.match(tooDeep.message, /64/);
  assert.equal((tooDeep as Error & { status: number }).status, 400);
});

test('the first hundred of a hundred thousand wrong items are named in little time', async () => {
  const errors = await errorsOf({ name: 'x', layers: Array.from({ length: 100_000 }, () => ({})) });
  assert.equal(errors.length, 100);
  assert.equal(errors[99], '/layers/99/name required');
  const same = { type: 'VectorLayer', name: 'a' };
  const twice = await errorsOf({ name: 'x', layers: Array.from({ length: 30_000 }, () => same) });
  assert.equal(twice[0], '/layers/1/name duplicate');
  for (const name of [5, null, {}, [], true, ''])
    assert.deepEqual(await errorsOf({ name: 'x', layers: [{ ...same, name }] }), ['/layers/0/name required']);
});

test('questionable values are kept, and reported as warnings', async () => {
  const warnings = await warningsOf({
    name: 'odd',
    ownKey: { kept: true },
    layers: [
      { type: 'HolographicLayer', name: 'h', style: 'elsewhere' },
      { type: 'WMTSLayer', name: 'w', url: '/w' },
      { type: 'TMSLayer', name: 't' },
    ],
    contentTree: [
      { type: 'LayerGroupContentTreeItem', name: 'g', layerNames: ['h', 'other'] },
      { type: 'ViewpointContentTreeItem', name: 'v', viewpointName: 'home' },
    ],
    startingMapName: 'globe',
    startingViewpointName: 'home',
  });
  assert.deepEqual(warnings.toSorted(), [
    '/contentTree/0/layerNames/1 elsewhere',
    '/contentTree/1/viewpointName elsewhere',
    '/layers/0/style elsewhere',
    '/layers/0/type unknownType',
    '/layers/1 noExtent',
    '/layers/2 noSource',
    '/ownKey unknownKey',
    '/startingMapName elsewhere',
    '/startingViewpointName elsewhere',
  ]);
});

test('a module of the maximum size, full of names, is checked in little time', async () => {
  const count = 9_000;
  const layers = Array.from({ length: count }, (_, index) => ({ type: 'Layer', name: `layer${index}` }));
  const contentTree = layers.map(({ name }) => ({ type: 'T', name, layerName: `${name}x` }));
  const { warnings } = await post({ name: 'full', layers, contentTree });
  assert.equal(warnings!.length, 100);
});

test('an update overwrites only the given fields, keeps the order, and ignores fields that the service sets', async () => {
  const module = await post({ ...sampleModule, name: 'before', own: [1] });
  const moduleParams = { ...params, moduleId: module._id };
  const changed = await admin.putProjectModule({
    params: moduleParams,
    body: { _id: 'x', projectId: 'y', createdBy: 'z', name: 'after', viewpoints: [] } as never,
  });
  assert.deepEqual(
    { ...changed, updatedAt: '', revision: 0, warnings: [] },
    { ...module, name: 'after', updatedAt: '', revision: 0, warnings: [] },
  );
  const { warnings: _, ...read } = await admin.getProjectModule({ params: moduleParams });
  const putBack = await admin.putProjectModule({
    params: moduleParams,
    body: read,
    headers: { 'if-match': `"${read.revision}"` },
  });
  assert.equal(JSON.stringify(putBack.layers), JSON.stringify(module.layers));
  const stale = admin.putProjectModule({
    params: moduleParams,
    body: { name: 'x' },
    headers: { 'if-match': '"1"' },
  });
  await assert.rejects(stale, { status: 412 });
  const wrong = admin.putProjectModule({ params: moduleParams, body: { maps: [{ name: 'no type' }] } });
  await assert.rejects(wrong, { status: 400 });
});

test('datasources are looked up within the project, and references to them are stored', async () => {
  const { context } = service;
  const own = await addDatasource(service, projectId);
  const foreign = await addDatasource(service, await newProject());
  const layers = (ids: string[]) => [
    { type: 'GeoJSONLayer', name: 'a', datasourceId: ids[0], properties: { datasourceId: 'not looked at' } },
    { type: 'VectorTileLayer', name: 'b', tileProvider: { type: 'MVTTileProvider', datasourceId: ids[1] } },
  ];
  const used = async (moduleId: string) =>
    (
      await context.db
        .selectFrom('module_datasource')
        .select('datasource_id')
        .where('module_id', '=', moduleId)
        .execute()
    ).map((row) => row.datasource_id);
  const module = await post({ name: 'm', layers: layers([own, own]) });
  assert.deepEqual(await used(module._id), [own]);
  await assert.rejects(post({ name: 'm', layers: layers([own, foreign]) }), {
    status: 422,
    errors: [
      {
        pointer: '/layers/1/tileProvider/datasourceId',
        code: 'unusable_reference',
        detail: 'There is no such datasource in this project.',
      },
    ],
  });
  await admin.putProjectModule({ params: { ...params, moduleId: module._id }, body: { layers: [] } });
  assert.deepEqual(await used(module._id), []);
});
