import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { detailText } from './detail-text.ts';

function textsOf(language: 'en' | 'de') {
  const file = readFileSync(new URL(`locales/${language}.json`, import.meta.url), 'utf8');
  const { details } = JSON.parse(file) as { details: Readonly<Record<string, string>> };
  return (key: string, named: Readonly<Record<string, string>>) =>
    details[key.replace('api.details.', '')]!.replace(/\{(\w+)\}/g, (_, name: string) => named[name]!);
}
const details = [
  'The map viewer does not know this option. Did you mean maxLevel?',
  'The job type does not know this option.',
  'The job type does not know this option. Did you mean /parameters/options/tiling/maxZoom?',
  'It names “gon”, which no module of the app has in its layers.',
  'This module has no “gon” in /layers. Another module of the app must provide it.',
  'Its datasource is of the type geojson, which needs GeoJSONLayer.',
  'The layer “threed” needs a map of one of these types: CesiumMap, PanoramaMap.',
];

test('details of warnings are translated with the names in them, and English ones stay as they are', () => {
  for (const detail of details) {
    assert.equal(detailText(detail, textsOf('en')), detail);
    const german = detailText(detail, textsOf('de'))!;
    assert.doesNotMatch(german, /\b(the|this|of)\b|[{}]/i);
  }
  assert.equal(
    detailText(details[0]!, textsOf('de')),
    'Der Kartenviewer kennt diese Option nicht. Ist maxLevel gemeint?',
  );
  assert.equal(detailText('Something else.', textsOf('de')), undefined);
});
