import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { openArchive } from '@platen/geo/pmtiles/archive';
import { worldColours } from './world-colours.ts';
import { worldDetail, worldMaxZoom, worldModule, worldTilesPath } from './world-module.ts';
import { viewerCsp } from './csp.ts';
import { engineModules, engineStyles, findEngine, installedEngines } from './engines.ts';
import { guardLayers } from './guard-layers.ts';
import { appPage } from './page.ts';
import { startScript } from './start-script.ts';
import { supportedTypes } from './supported-types.ts';

const engine = installedEngines()[0];
assert(engine !== undefined, 'an engine is installed');

const page = { appId: 'a1', title: 'Trees', engineVersion: '6.3.11' };

test('the newest engine in a range is found', () => {
  const found = (range: string) => findEngine(range)?.version.replace(/\.\d+$/, '');
  assert.deepEqual(
    installedEngines().map(({ version }) => version.replace(/\.\d+$/, '')),
    ['6.3', '6.2', '5.0'],
  );
  for (const range of ['6.3', '^6', '^6.2.0', '>=6 <7', '*', '>=5', engine.version])
    assert.equal(found(range), '6.3', range);
  for (const range of ['~6.2', '6.2.x', '>=6 <6.3']) assert.equal(found(range), '6.2', range);
  for (const range of ['^5', '5.0.x', '<6', '^5 || ^4']) assert.equal(found(range), '5.0', range);
});

test('an unsatisfied or invalid range finds no engine', () => {
  for (const range of ['~5.1', '^4.0.0', '>6.3.11 <6.4', '7.x', 'latest', '../6.3.11', '6.3.11/../..']) {
    assert.equal(findEngine(range), undefined, range);
  }
});

test('every script and style named for preloading exists, and ui.js, core.js and cesium.js are among them', () => {
  for (const each of installedEngines()) {
    const modules = engineModules(each);
    const styles = engineStyles(each);
    for (const name of ['ui', 'core', 'cesium']) assert(modules.includes(`assets/${name}.js`));
    assert.equal(modules.length, 9, modules.join(' '));
    assert.equal(styles.length, 3, styles.join(' '));
    for (const path of [...modules, ...styles]) assert(existsSync(join(each.folder, path)), path);
  }
});

test('later engines know more types', () => {
  assert(!supportedTypes('5.0.2').layers.includes('FlatGeobufLayer'));
  assert(supportedTypes('6.1.14').layers.includes('FlatGeobufLayer'));
  assert(!supportedTypes('6.1.14').layers.includes('COGLayer'));
  assert(supportedTypes('6.2.1').maps.includes('PanoramaMap'));
  assert(!supportedTypes('6.2.1').layers.includes('I3SLayer'));
  assert(supportedTypes('6.3.11').layers.includes('MapboxStyleLayer'));
  assert(!supportedTypes('5.0.2').featureInfo.includes('MarkdownFeatureInfoView'));
  assert(supportedTypes('6.2.1').contentTree.includes('FlightContentTreeItem'));
});

for (const { version, folder } of installedEngines()) {
  test(`${version} registers every type it is said to support, and none that it is said to lack`, () => {
    const assets = join(folder, 'assets');
    const scripts = readdirSync(assets).filter((name) => /^(?:core|ui)[.-][\da-f]+\.js$/.test(name));
    const source = scripts.map((name) => readFileSync(join(assets, name), 'utf8')).join('\n');
    const isThere = (type: string) => source.includes(`"${type}"`);
    const types = Object.values(supportedTypes(version)).flat();
    assert(types.length > 35);
    assert.deepEqual(
      types.filter((type) => !isThere(type)),
      [],
    );
    const others = Object.values(supportedTypes(engine.version)).flat();
    assert.deepEqual(
      others.filter((type) => !types.includes(type) && isThere(type)),
      [],
    );
  });
}

test('hostile names stay text in the page', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;\u0000`;
  const html = appPage({
    ...page,
    appId: `../"><script>`,
    title: hostile,
    description: hostile,
    locale: `en"><script>`,
    engineVersion: `6.3.11/"><script>`,
    preload: [`"><script>`],
    configPath: `/x"><script>`,
  });
  assert.equal(html.match(/<script/g)?.length, 1);
  assert(!html.includes('<img'));
  assert(!html.includes('\u0000'));
  assert(html.includes('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;'));
  assert(html.includes('&amp;amp;'));
});

test('an app id cannot lead the page to another address', () => {
  const html = appPage({ ...page, appId: '../../api/v1/x?y#z' });
  assert(html.includes('content="/app/..%2F..%2Fapi%2Fv1%2Fx%3Fy%23z/app.config.json"'));
});

test('the page names engine, configuration and start script by absolute paths and holds no script itself', () => {
  const html = appPage(page);
  assert(html.includes('<base href="/engines/6.3.11/">'));
  assert(html.includes('<meta name="platen:config" content="/app/a1/app.config.json">'));
  assert(html.includes(`<script type="module" src="${startScript().path}"></script>`));
  assert(!html.includes('platen:locale'));
  assert(appPage({ ...page, locale: 'de' }).includes('<meta name="platen:locale" content="de">'));
  assert.match(html, /<title>Trees<\/title>/);
});

test('the start script is plain JavaScript under a name of its content', () => {
  const { path, body } = startScript();
  assert.match(path, /^\/engines\/platen\/start-[\da-f]{16}\.js$/);
  assert(!/^\s*interface |: Promise</m.test(body));
  assert(body.includes('__INTLIFY_JIT_COMPILATION__'));
  assert.doesNotMatch(body, /^(?:import|export) /m);
});

test('the picture of the app is shown until the map has loaded, if there is one', () => {
  assert.match(
    appPage({ ...page, poster: '/app/a1/preview.png?"' }),
    /<img src="\/app\/a1\/preview\.png\?&quot;"/,
  );
  assert(!appPage(page).includes('<img'));
});

test('a layer that an engine cannot show is left out and reported once', () => {
  class Layer {
    readonly name: string;
    constructor(name: string) {
      this.name = name;
    }
    getImplementationsForMap(): object[] {
      if (this.name === 'broken') throw new Error('No base levels');
      return [this];
    }
  }
  const reports: string[] = [];
  guardLayers(Layer, (name, error) => reports.push(`${name}: ${String(error)}`));
  const [whole, broken] = [new Layer('whole'), new Layer('broken')];
  assert.deepEqual(whole.getImplementationsForMap(), [whole]);
  assert.deepEqual(broken.getImplementationsForMap(), []);
  assert.deepEqual(broken.getImplementationsForMap(), []);
  assert.deepEqual(reports, ['broken: Error: No base levels']);
});

test('the policy forbids evaluation and names foreign hosts once', () => {
  const policy = viewerCsp([
    'https://tiles.example.org',
    'https://tiles.example.org',
    'https://*.example.com:8443',
  ]);
  assert(!policy.includes("'unsafe-eval'"));
  assert.match(policy, /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/);
  assert(
    policy.includes("img-src 'self' data: blob: https://*.example.com:8443 https://tiles.example.org; "),
  );
  assert(!/script-src[^;]*example/.test(policy));
});

test('with an origin only scripts of the engines may run', () => {
  const policy = viewerCsp([], {
    origin: 'https://maps.example.org',
    embedders: ['https://www.example.org'],
  });
  assert.match(policy, /script-src https:\/\/maps\.example\.org\/engines\/ 'wasm-unsafe-eval';/);
  assert.match(policy, /frame-ancestors 'self' https:\/\/www\.example\.org$/);
});

test('an invalid origin does not get into the policy', () => {
  for (const host of [
    'https://a.org; script-src *',
    'https://a.org/path',
    '*',
    "'unsafe-eval'",
    'javascript:',
    'https://',
    'https://a.org,b.org',
  ]) {
    assert.throws(() => viewerCsp([host]), TypeError, host);
    assert.throws(() => viewerCsp([], { origin: host }), TypeError, host);
  }
});

test('the base maps of the world take at most 12 MB of the package', () => {
  const folder = join(import.meta.dirname, 'basemap');
  const archives = readdirSync(folder).filter((name) => name.endsWith('.pmtiles'));
  assert.equal(archives.length, 7);
  const bytes = archives.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  assert.ok(bytes <= 12_000_000, `${bytes} bytes`);
});

test('the base layer has a picture for every tile of its zooms', async () => {
  const file = await open(new URL('basemap/world.pmtiles', import.meta.url));
  try {
    const read = async (offset: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    };
    const archive = await openArchive(read);
    assert.equal(archive.header.maxZoom, worldMaxZoom);
    let tiles = 0;
    for (let z = 0; z <= worldMaxZoom; z++) {
      for (let x = 0; x < 2 ** z; x++) {
        for (let y = 0; y < 2 ** z; y++) {
          const range = await archive.findTile(z, x, y);
          assert(range !== undefined, `${z}/${x}/${y}`);
          const png = await read(range.offset, range.length);
          assert.equal(png.length, range.length);
          assert.equal(png.toString('latin1', 1, 4), 'PNG');
          assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [256, 256]);
          tiles++;
        }
      }
    }
    assert.equal(tiles, 1365);
    // Most of the world is sea, so most tiles are identical.
    assert(archive.header.tileContents < tiles * 0.7);
    assert((await file.stat()).size < 3_300_000);
  } finally {
    await file.close();
  }
});

test('the base layer asks for exactly the tiles the archive has, at the bottom and of the whole world', () => {
  const module = worldModule();
  const layer = module.layers[0];
  assert(layer !== undefined && 'url' in layer && 'title' in layer.properties);
  assert.equal(layer.maxLevel, worldMaxZoom);
  assert.equal(layer.url, '/basemap/world/{TileMatrix}/{TileCol}/{TileRow}.png');
  assert.equal(worldTilesPath.startsWith('/basemap/world/'), true);
  assert(layer.zIndex < 0);
  assert(supportedTypes('5.0.2').layers.includes(layer.type));
  // The engine drops an item whose title is not a string.
  assert.equal(typeof layer.properties.title, 'string');
});

test('the world in detail covers the pictures of the world where these would be blurred', () => {
  const [pictures, detail] = worldModule().layers;
  assert(pictures !== undefined && detail !== undefined && 'minLevel' in detail && 'maxLevel' in pictures);
  assert.equal(detail.minLevel, pictures.maxLevel);
  assert(detail.zIndex > pictures.zIndex);
  const { declarativeStyle } = worldDetail('world-dark').style;
  const { water, land, ice, river, border, coast } = worldColours.dark;
  assert.deepEqual(declarativeStyle.color.conditions, [
    ["${kind} === 'water'", `color('${water}')`],
    ["${kind} === 'land'", `color('${land}')`],
    ["${kind} === 'ice'", `color('${ice}')`],
    ["${kind} === 'river'", `color('${river}')`],
    ["${kind} === 'border'", `color('${border}')`],
    ["${kind} === 'stream'", `color('${river}')`],
    ['true', `color('${coast}')`],
  ]);
});
