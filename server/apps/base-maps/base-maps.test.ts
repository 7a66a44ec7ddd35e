import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstBaseMaps, type BaseMap } from '@platen/contract/base-maps';
import { newPlace, write } from '../../files/revisions/testing.ts';
import { startService } from '../../testing.ts';
import { newMap } from '../releases/testing.ts';

const service = await startService();
const { admin } = service;
const { _id: projectId } = await admin.postProject({
  body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
});
const params = { projectId };
const place = await newPlace(service);

const baseMap = (id: string, name: string): BaseMap => ({
  id,
  name,
  type: 'xyz',
  url: `https://${id}.example.org/{z}/{x}/{y}.png`,
  attribution: { text: name },
});
const newApp = (body: object = {}) => admin.postProjectApp({ params, body: { name: 'Map', ...body } });
const offered = async () => {
  const { items } = await admin.getProjectBaseMaps({ params });
  return items.map(({ id, from, name }) => (name === undefined ? [id, from] : [id, from, name]));
};
const world = [
  ['world-light', 'world'],
  ['world-grey', 'world'],
  ['world-dark', 'world'],
  ['world-names', 'world'],
  ['world-names-below', 'world'],
];

test('a new map shows what somebody has set up, else the light world map with its names', () => {
  assert.deepEqual(firstBaseMaps([{ id: 'world-dark', from: 'world' }]), ['world-light', 'world-names']);
  const own = [{ id: 'city', from: 'project' } as const, { id: 'state', from: 'service' } as const];
  assert.deepEqual(firstBaseMaps([...own, { id: 'world-light', from: 'world' }]), ['city', 'state']);
});

test('an app chooses among the base maps of its project and of the service', async () => {
  assert.deepEqual((await newApp()).baseMaps, []);
  assert.deepEqual(await offered(), world);
  const ofService = [baseMap('state', 'Map of the state'), baseMap('city', 'Map of the region')];
  await admin.putAdminSettings({ body: { baseMaps: ofService } });
  await admin.putProject({ params, body: { baseMaps: [baseMap('city', 'Map of the city')] } });
  assert.deepEqual((await admin.getAdminSettings()).baseMaps, ofService);
  assert.deepEqual(await offered(), [
    ['city', 'project', 'Map of the city'],
    ['state', 'service', 'Map of the state'],
    ...world,
  ]);
  const app = await newApp();
  assert.deepEqual(app.baseMaps, ['city', 'state']); // all that the project and the service have
  assert.deepEqual((await newApp({ baseMaps: ['world-grey'] })).baseMaps, ['world-grey']);
  const path = { ...params, appId: app._id };
  const changed = await admin.putProjectApp({ params: path, body: { baseMaps: ['world-dark', 'state'] } });
  assert.deepEqual(changed.baseMaps, ['world-dark', 'state']);
  await assert.rejects(
    admin.putProjectApp({ params: path, body: { baseMaps: ['state', 'moon'] } }),
    ({ status, message }: { status: number; message: string }) =>
      status === 422 && /\/baseMaps\/1: .* id moon/.test(message),
  );
  await admin.putAdminSettings({ body: { baseMaps: [] } });
  await admin.putProjectApp({ params: path, body: { baseMaps: ['state'] } }); // it may stay, although it is gone
  await assert.rejects(newApp({ baseMaps: ['state'] }), { status: 422 });
});

test('a project is refused what no map can show', async () => {
  const change = (body: object) => admin.putProject({ params, body });
  const { url: _, ...nowhere } = baseMap('city', 'City');
  await assert.rejects(change({ baseMaps: [nowhere] }), /\/baseMaps\/0\/url/);
  await assert.rejects(change({ baseMaps: [{ ...baseMap('City', 'City') }] }), /\/baseMaps\/0\/id/);
  const own = { id: 'own', name: 'Own', type: 'datasource' } as const;
  await assert.rejects(
    change({ baseMaps: [{ ...own, datasourceId: 'none' }] }),
    /\/baseMaps\/0\/datasourceId: There is no such datasource in this project/,
  );
  const source = { type: 'external', url: 'https://data.example.org/a.json' } as const;
  const make = (type: 'geojson' | 'tms') =>
    admin.postProjectDatasource({ params, body: { name: type, type, sourceProperties: source } });
  const { _id: places } = await make('geojson');
  await assert.rejects(change({ baseMaps: [{ ...own, datasourceId: places }] }), /geojson makes no base map/);
  const { _id: tiles } = await make('tms');
  const baseMaps = [{ ...own, datasourceId: tiles }];
  assert.deepEqual((await change({ baseMaps })).baseMaps, baseMaps);
  const elsewhere = { name: 'Elsewhere', description: '', bbox: [0, 0, 1, 1], baseMaps };
  await assert.rejects(admin.postProject({ body: elsewhere }), { status: 422 });
});

interface BaseLayer {
  readonly name: string;
  readonly url?: string;
  readonly activeOnStartup: boolean;
  readonly exclusiveGroups?: readonly string[];
  readonly tileProvider?: { readonly url: string };
}

interface BaseModule {
  readonly _id: string;
  readonly layers: readonly BaseLayer[];
  readonly contentTree: readonly BaseLayer[];
}

/** The layers of the world and of the base maps in a configuration, and the names of the content tree. */
async function baseLayersAt(url: string) {
  const answer = await service.app.inject({ url: `${url}app.config.json` });
  const [world, base] = answer.json<{ modules: BaseModule[] }>().modules;
  const isBase = base?._id === 'platen-base-maps';
  return {
    world: world!.layers.flatMap(({ url: each }) => each ?? []),
    layers: isBase ? base.layers : [],
    tree: [...world!.contentTree, ...(isBase ? base.contentTree : [])].map(({ name }) => name),
  };
}

test('the map gets the chosen base maps as exclusive groups above the world', async () => {
  const terrain: BaseMap = {
    id: 'ground',
    name: 'Ground',
    type: 'terrain',
    url: 'https://terrain.example.org/city',
    attribution: { text: 'City' },
  };
  const { params: path, appId } = await newMap(service, place, ['world']);
  const { projectId: ofPlace } = place;
  await admin.putProject({
    params: { projectId: ofPlace },
    body: { baseMaps: [baseMap('city', 'City'), terrain] },
  });
  await admin.putProjectAppPublic({ params: path });
  const address = `/app/${appId}/`;
  const before = await baseLayersAt(address);
  assert.deepEqual([before.layers, before.tree], [[], ['platen-world']]);
  const choose = (baseMaps: string[]) => admin.putProjectApp({ params: path, body: { baseMaps } });
  await choose(['world-dark', 'city', 'ground']);
  const { world: bottom, layers, tree } = await baseLayersAt(address);
  assert.deepEqual(bottom, ['/basemap/world-dark/{TileMatrix}/{TileCol}/{TileRow}.png']);
  assert.deepEqual(
    layers.map(({ name, url, activeOnStartup, exclusiveGroups }) => [
      name,
      url,
      activeOnStartup,
      exclusiveGroups,
    ]),
    [
      ['platen-base-maps-world-dark', bottom[0], true, ['platen-base-maps']],
      [
        'platen-base-maps-city',
        'https://city.example.org/{TileMatrix}/{TileCol}/{TileRow}.png',
        false,
        ['platen-base-maps', 'platen-base-map-details'],
      ],
      ['platen-base-maps-ground', terrain.url, true, ['platen-terrain']],
      ['platen-base-maps-world-dark-detail', undefined, true, ['platen-base-map-details']],
    ],
  );
  assert.deepEqual(tree, [
    'platen-base-maps',
    'platen-base-maps.world-dark',
    'platen-base-maps.city',
    'platen-base-maps.ground',
  ]);
  const { headers } = await service.app.inject({ url: address });
  for (const host of ['https://city.example.org', 'https://terrain.example.org'])
    assert.match(String(headers['content-security-policy']), new RegExp(host.replaceAll('.', '\\.')));
  for (const name of ['world', 'world-grey', 'world-dark'])
    assert.equal((await service.app.inject({ url: `/basemap/${name}/2/1/1.png` })).statusCode, 200);
  const { _id: releaseId } = await admin.postProjectAppRelease({ params: path, body: {} });
  await admin.putProjectAppPublic({ params: path, body: { releaseId } });
  await admin.putProject({ params: { projectId: ofPlace }, body: { baseMaps: [] } });
  assert.equal((await baseLayersAt(address)).layers.length, 4); // as released
  await admin.putProjectAppPublic({ params: path, body: { releaseId: null } });
  const after = await baseLayersAt(address);
  assert.deepEqual(
    after.layers.map(({ name }) => name),
    ['platen-base-maps-world-dark', 'platen-base-maps-world-dark-detail'],
  );
  await choose(['city']); // gone, but it may stay
  assert.deepEqual((await baseLayersAt(address)).tree, ['platen-world']);
  await choose(['world-names', 'world-dark']);
  const named = await baseLayersAt(address);
  assert.deepEqual(named.world, bottom);
  assert.deepEqual(
    named.layers.map(({ name, activeOnStartup, tileProvider }) => [name, activeOnStartup, tileProvider?.url]),
    [
      ['platen-base-maps-world-dark', true, undefined],
      ['platen-base-maps-world-dark-detail', true, '/basemap/world-detail/{z}/{x}/{y}.mvt'],
      ['platen-base-maps-world-names-1', true, '/basemap/world-names-{locale}/{z}/{x}/{y}.mvt'],
      ['platen-base-maps-world-names-2', true, '/basemap/world-names-{locale}/{z}/{x}/{y}.mvt'],
    ],
  );
  assert.deepEqual(named.tree, [
    'platen-base-maps',
    'platen-base-maps.world-dark',
    'platen-base-maps.world-names',
  ]);
  await choose(['world-names-below', 'world-dark']);
  const below = await baseLayersAt(address);
  assert.deepEqual(
    below.layers.slice(2).map(({ name }) => name),
    ['platen-base-maps-world-names-below-1', 'platen-base-maps-world-names-below-2'],
  );
  assert.deepEqual(below.tree, named.tree);
  await choose(['world-names']);
  const alone = await baseLayersAt(address);
  assert.deepEqual(alone.tree, ['platen-world', 'platen-base-maps', 'platen-base-maps.world-names']);
});

test('an archive of another server is a layer of tiles, whose host the page may ask', async () => {
  const { params: path, appId } = await newMap(service, place, ['archive']);
  const at = { params: { projectId: place.projectId } };
  const archive = { ...baseMap('archive', 'Archive'), type: 'pmtiles', maxZoom: 9 } as const;
  const refused = admin.putProject({ ...at, body: { baseMaps: [archive] } });
  await assert.rejects(refused, /\{z\} cannot be replaced: no placeholders are possible here/);
  const url = 'https://archive.example.org/city.pmtiles?v=1';
  await assert.rejects(
    admin.putProject({ ...at, body: { baseMaps: [{ ...archive, url: `${url}#1` }] } }),
    /baseMaps\/0\/url: .* no part behind a #/,
  );
  await admin.putProject({ ...at, body: { baseMaps: [{ ...archive, url }] } });
  await admin.putProjectApp({ params: path, body: { baseMaps: ['archive'] } });
  await admin.putProjectAppPublic({ params: path });
  const [layer] = (await baseLayersAt(`/app/${appId}/`)).layers;
  assert.equal(layer!.url, `${url}#pmtiles/{TileMatrix}/{TileCol}/{TileRow}`);
  const { headers } = await service.app.inject({ url: `/app/${appId}/` });
  assert.match(
    String(headers['content-security-policy']),
    /connect-src [^;]*https:\/\/archive\.example\.org/,
  );
});

test('data of the project that is a base map is public as long as a public app shows it', async () => {
  const { params: path, appId } = await newMap(service, place, ['own']);
  await admin.putProjectAppPublic({ params: path });
  await write(admin, place, { 'aerial/0/0/0.png': 'PNG', 'aerial/1/0/0.png': 'PNG' });
  const { _id: tiles } = await admin.postProjectDatasource({
    params: place,
    body: {
      name: 'Aerial images',
      type: 'tms',
      sourceProperties: {
        type: 'internal',
        dataBucketId: place.dataBucketId,
        dataBucketKey: 'aerial/',
      },
    },
  });
  const at = { params: { projectId: place.projectId } };
  const own = { id: 'own', name: 'Own', type: 'datasource', datasourceId: tiles } as const;
  await admin.putProject({ ...at, body: { baseMaps: [own] } });
  const status = async (pin: string) =>
    (await service.app.inject({ url: `/data/${tiles}/${pin}0/0/0.png` })).statusCode;
  assert.equal(await status(''), 404);
  await admin.putProjectApp({ params: path, body: { baseMaps: ['own'] } });
  const [layer] = (await baseLayersAt(`/app/${appId}/`)).layers;
  assert.equal(layer!.url, `/data/${tiles}/~1/`);
  assert.equal(await status('~1/'), 200);
  await admin.putProject({ ...at, body: { baseMaps: [] } });
  assert.equal(await status('~1/'), 404);
});
