import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { InspectionSummary } from '@platen/contract/inspect';
import { describeInspection, describeName, type Translator } from './describe.ts';

/** The words of a language as vue-i18n takes them from its file. */
function translatorOf(language: 'en' | 'de'): Translator {
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

type FileSummary = Pick<InspectionSummary, 'formatTitle' | 'kind' | 'facts'>;
const trees: FileSummary = {
  formatTitle: 'GeoPackage',
  kind: 'vector',
  facts: { layers: 1, count: 231_004, isEstimated: false, shape: 'Point', crs: 'EPSG:25832' },
};

test('a file is described by its format, its amount of data and its coordinate system', () => {
  assert.equal(describeInspection(trees, translatorOf('en')), 'GeoPackage · 231,004 points · EPSG:25832');
  assert.equal(describeInspection(trees, translatorOf('de')), 'GeoPackage · 231.004 Punkte · EPSG:25832');
  const one = { ...trees, facts: { layers: 1, count: 1, shape: 'Polygon' as const } };
  assert.equal(describeInspection(one, translatorOf('de')), 'GeoPackage · 1 Fläche');
});

test('each kind of data has its own words in both languages', () => {
  const city: FileSummary = {
    formatTitle: 'CityGML',
    kind: 'cityModel',
    facts: { formatVersion: '2.0', layers: 2, count: 412_000, isEstimated: true, levelsOfDetail: ['1', '2'] },
  };
  assert.equal(
    describeInspection(city, translatorOf('de')),
    'CityGML 2.0 · LoD 1, 2 · 2 Ebenen · etwa 412.000 Stadtobjekte',
  );
  const image: FileSummary = {
    formatTitle: 'GeoTIFF',
    kind: 'raster',
    facts: { layers: 1, count: 1, width: 20_000, height: 512 },
  };
  assert.equal(describeInspection(image, translatorOf('en')), 'GeoTIFF · 20,000 × 512 pixels');
  const kinds = 'vector cityModel raster pointCloud mesh tileset terrain tiles sceneLayer'.split(' ');
  for (const kind of kinds as NonNullable<FileSummary['kind']>[]) {
    for (const language of ['en', 'de'] as const) {
      const description = describeInspection(
        { formatTitle: 'X', kind, facts: { layers: 1, count: 3 } },
        translatorOf(language),
      );
      assert.equal(description.includes(' · '), kind !== 'raster', `${language} ${kind}: ${description}`);
    }
  }
});

test('files that were not recognised or not inspected yet are described without guessing', () => {
  assert.equal(
    describeInspection({ facts: { layers: 0, missing: 'format' } }, translatorOf('en')),
    'Not geodata',
  );
  assert.equal(describeName('a/b.tar.gz', translatorOf('de')), 'GZ-Datei');
  assert.equal(describeName('a/README', translatorOf('en')), 'File');
  assert.equal(describeName('a/sheets/', translatorOf('de')), 'Ordner');
  assert.equal(describeName('a/.keep', translatorOf('en')), 'Placeholder of an empty folder');
});

test('titles of formats are German in German, besides proper names', () => {
  const scene: FileSummary = { formatTitle: 'I3S (3D objects)', kind: 'sceneLayer', facts: { layers: 1 } };
  assert.equal(describeInspection(scene, translatorOf('de')), 'I3S (3D-Objekte)');
  assert.equal(describeInspection(scene, translatorOf('en')), 'I3S (3D objects)');
  const heights = {
    formatTitle: 'SRTM elevation tile',
    facts: { layers: 1, formatVersion: '3 arc seconds' },
  };
  assert.equal(
    describeInspection({ kind: 'terrain', ...heights }, translatorOf('de')),
    'SRTM-Höhenkachel 3 Bogensekunden',
  );
});
