import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { featureXml, wfsCollection } from '../gml/testing.ts';
import { makeTestFolder } from '../testing-folder.ts';
import { sourceFormats } from './formats.ts';
import { openSources } from './open-sources.ts';

const { folder } = makeTestFolder('');
/** Files of more than a megabyte are not read at once. */
const count = 40_000;
const feature = (i: number) =>
  JSON.stringify({ type: 'Feature', properties: { i }, geometry: { type: 'Point', coordinates: [i, 2] } });
const features = Array.from({ length: count }, (_, i) => feature(i));
const placemark = '<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>';
const pos = '<gml:Point srsName="EPSG:4326"><gml:pos>1 2</gml:pos></gml:Point>';

const files = {
  'a.geojson': `{"type":"FeatureCollection","features":[${features.join(',\n')}]}`,
  'a.geojsonl': features.join('\n'),
  'a.csv': `lon,lat,text\n${'1,2,a long text in each row\n'.repeat(count)}`,
  'a.kml': `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${placemark.repeat(count)}</Document></kml>`,
  'a.gpx': `<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">${'<wpt lat="1" lon="2"><name>a</name></wpt>'.repeat(count)}</gpx>`,
  'a.gml': wfsCollection(...features.map((_, i) => featureXml('a', `<a:geom>${pos}</a:geom>`, String(i)))),
};

/** How many files of the folder this process has open. */
function countOpen(): number {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    const path = join('/proc/self/fd', fd);
    return existsSync(path) ? readlinkSync(path) : '';
  });
  return targets.filter((target) => target.startsWith(folder)).length;
}

for (const [name, content] of Object.entries(files))
  test(
    `${name} is closed after each part, also if a visitor stops in the middle`,
    { skip: !existsSync('/proc/self/fd') && 'open files are only listed on Linux' },
    async () => {
      const path = join(folder, name);
      writeFileSync(path, content);
      const file = { path, name, size: Buffer.byteLength(content), related: {} };
      const options = { scratchFolder: folder, signal: new AbortController().signal, partBytes: 900_000 };
      const sources = await openSources(file, options);
      assert.equal(countOpen(), 0, 'after opening');
      const parts = sources.flatMap(({ layers }) => layers.flatMap((layer) => layer.parts));
      const enough = new Error('enough');
      for (const part of parts) {
        const format = await sourceFormats[part.format]!();
        const stop = (): void => {
          throw enough;
        };
        await assert.rejects(format.read(part, stop, { maxFeatureBytes: 1 << 20 }), enough);
        assert.equal(countOpen(), 0, 'after a visitor stopped');
        assert.ok((await format.read(part, () => {}, { maxFeatureBytes: 1 << 20 })) > 0);
        assert.equal(countOpen(), 0, 'after a part');
      }
    },
  );
