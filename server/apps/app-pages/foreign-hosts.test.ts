import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewerCsp } from '@platen/viewer/csp';
import fc from 'fast-check';
import { foreignHosts } from './foreign-hosts.ts';

test('the origins of all addresses that the viewer loads are found, and no links', async () => {
  const module = {
    layers: [
      { type: 'WMSLayer', url: 'HTTPS://WMS.example.org:8443/ows?x=1' },
      { type: 'GeoJSONLayer', url: { de: 'https://de.example.org/a', en: '/own' } },
      { type: 'WMTSLayer', url: 'https://{a-c}.tile.example.org/{z}/{x}/{y}.png' },
      { type: 'OpenStreetMapLayer', properties: { attributions: { url: 'https://www.example.com' } } },
    ],
    uiConfig: [{ name: 'logo', value: 'http://cdn.example.org/logo.svg' }],
  };
  assert.deepEqual(await foreignHosts([module]), [
    'http://cdn.example.org',
    'https://*.tile.example.org',
    'https://*.tile.openstreetmap.org',
    'https://de.example.org',
    'https://wms.example.org:8443',
  ]);
});

test('addresses in the properties of a module are not loaded, but the legend of a layer is', async () => {
  const module = {
    properties: { contact: 'https://www.example.com/' },
    layers: [
      { properties: { legend: [{ type: 'ImageLegendItem', src: 'https://legend.example.org/a.png' }] } },
    ],
  };
  assert.deepEqual(await foreignHosts([module]), ['https://legend.example.org']);
});

test('no module can widen the policy beyond hosts, or break it', async () => {
  for (const url of [
    'https://evil; script-src *',
    'https://*',
    'https://{s}.com/x',
    'https://user:secret@example.org/',
    "https://a'b.org",
    'https://',
    'http://[::1]/',
    'javascript:alert(1)',
  ]) {
    assert.deepEqual(await foreignHosts([{ url }]), [], url);
  }
  const text = fc.oneof(
    fc.webUrl(),
    fc.string().map((part) => `https://${part}`),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 20 }), async (urls) => {
      const hosts = await foreignHosts([{ urls }]);
      assert.equal(viewerCsp(hosts).split('; ').length, viewerCsp().split('; ').length);
    }),
  );
});
