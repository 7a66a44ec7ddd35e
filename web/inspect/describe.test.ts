import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { InspectionSummary } from '@platen/contract/inspect';
import { describeInspection, describeName, type Words } from './describe.ts';

/** The words of a language as vue-i18n takes them from its file. */
function wordsOf(language: 'en' | 'de'): Words {
  const file = readFileSync(new URL(`locales/${language}.json`, import.meta.url), 'utf8');
  const messages: unknown = { inspect: JSON.parse(file) };
  return {
    n: (value) => value.toLocaleString(language),
    t(key, named = {}, plural) {
      const text = key.split('.').reduce((part, name) => (part as never)?.[name], messages);
      if (typeof text !== 'string') throw new Error(`${language} has no ${key}`);
      const forms = text.split(' | ');
      const form = plural === 1 ? forms[0]! : forms.at(-1)!;
      return form.replace(/\{(\w+)\}/g, (_, name: string) => String(named[name]));
    },
  };
}

type Told = Pick<InspectionSummary, 'formatTitle' | 'kind' | 'facts'>;
const trees: Told = {
  formatTitle: 'GeoPackage',
  kind: 'vector',
  facts: { layers: 1, count: 231_004, isEstimated: false, shape: 'Point', crs: 'EPSG:25832' },
};

test('a file is told by its format, how much is in it, and its coordinate system', () => {
  assert.equal(describeInspection(trees, wordsOf('en')), 'GeoPackage · 231,004 points · EPSG:25832');
  assert.equal(describeInspection(trees, wordsOf('de')), 'GeoPackage · 231.004 Punkte · EPSG:25832');
  const one = { ...trees, facts: { layers: 1, count: 1, shape: 'Polygon' as const } };
  assert.equal(describeInspection(one, wordsOf('de')), 'GeoPackage · 1 Fläche');
});

test('each kind of data has its own words in both languages', () => {
  const city: Told = {
    formatTitle: 'CityGML',
    kind: 'cityModel',
    facts: { formatVersion: '2.0', layers: 2, count: 412_000, isEstimated: true, levelsOfDetail: ['1', '2'] },
  };
  assert.equal(
    describeInspection(city, wordsOf('de')),
    'CityGML 2.0 · LoD 1, 2 · 2 Ebenen · etwa 412.000 Stadtobjekte',
  );
  const image: Told = {
    formatTitle: 'GeoTIFF',
    kind: 'raster',
    facts: { layers: 1, count: 1, width: 20_000, height: 512 },
  };
  assert.equal(describeInspection(image, wordsOf('en')), 'GeoTIFF · 20,000 × 512 pixels');
  const kinds = 'vector cityModel raster pointCloud mesh tileset terrain tiles sceneLayer'.split(' ');
  for (const kind of kinds as NonNullable<Told['kind']>[]) {
    for (const language of ['en', 'de'] as const) {
      const told = describeInspection(
        { formatTitle: 'X', kind, facts: { layers: 1, count: 3 } },
        wordsOf(language),
      );
      assert.equal(told.includes(' · '), kind !== 'raster', `${language} ${kind}: ${told}`);
    }
  }
});

test('what was not recognised, or not looked into yet, is told without guessing', () => {
  assert.equal(describeInspection({ facts: { layers: 0, missing: 'format' } }, wordsOf('en')), 'Not geodata');
  assert.equal(describeName('a/b.tar.gz', wordsOf('de')), 'GZ-Datei');
  assert.equal(describeName('a/README', wordsOf('en')), 'File');
  assert.equal(describeName('a/.keep', wordsOf('en')), 'Placeholder of an empty folder');
});
