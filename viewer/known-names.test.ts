import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { installedEngines, type Engine } from './engines.ts';
import { mapsOfLayer, optionNames } from './engine-names.ts';
import { knownNames, supportsProjection } from './known-names.ts';
import { supportedTypes } from './supported-types.ts';

const sourceOf = ({ folder }: Engine): string => {
  const assets = join(folder, 'assets');
  const scripts = readdirSync(assets).filter((name) => /^(?:core|ui)[-.][\da-f]+\.js$/.test(name));
  assert.equal(scripts.length, 2, `scripts in ${assets}`);
  return scripts.map((name) => readFileSync(join(assets, name), 'utf8')).join('\n');
};

/** All class names with this ending in the scripts of an engine. */
const classesOf = (source: string, ending: string) => {
  const names = [...source.matchAll(new RegExp(`"([A-Z][A-Za-z\\d]*${ending})"`, 'g'))];
  return [...new Set(names.map(([, name]) => name!))].toSorted();
};

/** Classes that no configuration may name: abstract ones, and those used internally. */
const internal = new Set([
  'AbstractAttributeProvider',
  'AbstractFeatureProvider',
  'I3SAttributeProvider',
  'MapboxFeatureProvider',
  'TileProviderFeatureProvider',
  'VcsCallback',
]);

test('each installed engine has the callbacks and providers that we say, and no others', () => {
  assert(installedEngines().length > 0);
  for (const engine of installedEngines()) {
    const source = sourceOf(engine);
    const { callbacks, featureProviders } = knownNames(engine.version);
    const found = (ending: string) => classesOf(source, ending).filter((name) => !internal.has(name));
    assert.deepEqual(found('Callback'), callbacks, engine.version);
    assert.deepEqual(found('(?:Feature|Attribute)Provider'), featureProviders, engine.version);
  }
});

test('each option that we look for misspelled is one that the newest engine reads', () => {
  const source = sourceOf(installedEngines()[0]!);
  const absent = optionNames.filter((name) => !new RegExp(`\\b${name}\\b`).test(source));
  assert.deepEqual(absent, []);
  assert.equal(new Set(optionNames.map((name) => name.toLowerCase())).size, optionNames.length);
});

test('the maps that show each layer type with data are known', () => {
  const { layers, maps } = supportedTypes(installedEngines()[0]!.version);
  const abstract = new Set(['FeatureLayer', 'Layer', 'RasterLayer']);
  assert.deepEqual(
    Object.keys(mapsOfLayer).toSorted(),
    layers.filter((type) => !abstract.has(type)),
  );
  for (const type of Object.values(mapsOfLayer).flat()) assert(maps.includes(type), type);
});

test('the known projections of an engine match its scripts', () => {
  for (const engine of installedEngines()) {
    const source = sourceOf(engine);
    const { version } = engine;
    for (const code of [4326, 4269, 3857]) {
      assert(source.includes(`"EPSG:${code}"`), `${version} ${code}`);
      assert(supportsProjection(version, code));
    }
    assert.equal(/EPSG:" ?\+ ?\(?32600/.test(source), supportsProjection(version, 32633), version);
    assert.equal(source.includes('"EPSG:5041"'), supportsProjection(version, 5041), version);
    assert(!supportsProjection(version, 25833));
    assert(!source.includes('"EPSG:25833"'));
  }
});
