import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';

const maplibre = new URL('.', import.meta.resolve('maplibre-gl'));

interface DemPage {
  readonly service: { readonly url: string; readonly token: string };
  readonly datasourceId: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly center: readonly [lon: number, lat: number];
  readonly zoom: number;
}

/** Heights of a raster DEM with hillshade in MapLibre, on a page whose server hands requests for data on; loaded. */
export async function openDemPage(
  browser: Browser,
  { service: { url, token }, datasourceId, size, center, zoom }: DemPage,
): Promise<{ readonly page: Page; close(): Promise<void> }> {
  const html = `<!doctype html><link rel="stylesheet" href="/maplibre-gl.css">
<style>html, body, #map { margin: 0; width: 100%; height: 100% }</style><div id="map"></div>
<script type="module">
  import * as maplibregl from '/maplibre-gl.mjs';
  const url = location.origin + '/data/${datasourceId}/tiles.json';
  const transformRequest = (address) => ({ url: address.replace('${url}', location.origin) });
  const dem = { type: 'raster-dem', url, tileSize: 256 };
  const sources = { heights: dem, ground: dem };
  const layers = [
    { id: 'land', type: 'background', paint: { 'background-color': '#e9efe2' } },
    { id: 'shade', type: 'hillshade', source: 'heights' },
  ];
  const style = { version: 8, sources, layers, terrain: { source: 'ground', exaggeration: 2 } };
  window.map = new maplibregl.Map({ container: 'map', style, transformRequest, center: ${JSON.stringify(center)}, zoom: ${zoom}, pitch: 55, attributionControl: false });
</script>`;
  const server = createServer((request, reply) => {
    if (request.url?.startsWith('/data/') === true)
      return void fetch(url + request.url, { headers: { authorization: `Bearer ${token}` } }).then(
        async (answer) => reply.writeHead(answer.status).end(await answer.bytes()),
        () => reply.writeHead(502).end(),
      );
    const name = /^\/(maplibre-gl[\w-]*\.(?:mjs|css))$/.exec(new URL(request.url!, url).pathname)?.[1];
    if (name === undefined) return void reply.setHeader('content-type', 'text/html').end(html);
    reply.setHeader('content-type', name.endsWith('css') ? 'text/css' : 'text/javascript');
    return void readFile(new URL(name, maplibre)).then(
      (content) => reply.end(content),
      () => reply.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const page = await browser.newPage({ viewport: size });
  await page.goto(`http://127.0.0.1:${port}/`);
  const isLoaded = () => (globalThis as unknown as { map?: { loaded(): boolean } }).map?.loaded() === true;
  await page.waitForFunction(isLoaded, undefined, { timeout: 120_000, polling: 500 });
  return {
    page,
    async close() {
      await page.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
