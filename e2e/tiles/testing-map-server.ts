import { createReadStream } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface MapServer {
  readonly url: string;
  stop(): Promise<void>;
}

const dist = dirname(fileURLToPath(import.meta.resolve('maplibre-gl')));
const types = { mjs: 'text/javascript', css: 'text/css', html: 'text/html' } as const;

interface MapOptions {
  /** Style layers, of the source `tiles`. */
  readonly layers: readonly object[];
  readonly maxZoom: number;
  /** Undefined if the tile does not exist. @param place `z/x/y` */
  readonly readTile: (place: string) => Promise<Uint8Array | undefined>;
}

/**
 * Serves MapLibre, tiles at /tiles/z/x/y, and a page with a full-size map as `map` and its errors as `complaints`.
 */
export async function startMapServer({ layers, maxZoom, readTile }: MapOptions): Promise<MapServer> {
  const page = pageOf(layers, maxZoom);
  const server = createServer((request, reply) => {
    const { pathname: url } = new URL(request.url!, 'http://localhost');
    if (url.startsWith('/tiles/')) return sendTile(reply, readTile(url.slice('/tiles/'.length)));
    const name = /^\/(maplibre-gl[\w.-]*\.(mjs|css))$/.exec(url);
    if (name) return sendFile(reply, name[1]!, types[name[2] as 'mjs' | 'css']);
    if (url === '/') return void reply.setHeader('content-type', types.html).end(page);
    return void reply.writeHead(url === '/favicon.ico' ? 204 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendTile(reply: ServerResponse, reading: Promise<Uint8Array | undefined>): void {
  reading.then(
    (tile) => {
      if (tile === undefined) return reply.writeHead(204).end();
      return reply.setHeader('content-type', 'application/x-protobuf').end(tile);
    },
    () => reply.writeHead(500).end(),
  );
}

function sendFile(reply: ServerResponse, name: string, type: string): void {
  reply.setHeader('content-type', type);
  createReadStream(`${dist}/${name}`)
    .on('error', () => reply.writeHead(404).end())
    .pipe(reply);
}

const pageOf = (layers: readonly object[], maxzoom: number) => `<!doctype html>
<title>Tiles</title><link rel="stylesheet" href="/maplibre-gl.css">
<style>html, body, #map { margin: 0; width: 100%; height: 100% }</style><div id="map"></div>
<script type="module">
  import * as maplibregl from '/maplibre-gl.mjs';
  window.complaints = [];
  const tiles = { type: 'vector', tiles: [location.origin + '/tiles/{z}/{x}/{y}'], maxzoom: ${maxzoom} };
  window.map = new maplibregl.Map({
    container: 'map', style: { version: 8, sources: { tiles }, layers: ${JSON.stringify(layers)} },
    attributionControl: false, fadeDuration: 0,
    center: [10, 50], zoom: 3, canvasContextAttributes: { preserveDrawingBuffer: true },
  });
  window.map.on('error', ({ error }) => window.complaints.push(String(error?.message ?? error)));
</script>`;

export interface MapPage {
  readonly complaints: string[];
  readonly map: {
    jumpTo(view: { center: [number, number]; zoom: number }): void;
    once(event: 'idle', callback: () => void): void;
    queryRenderedFeatures(): unknown[];
    triggerRepaint(): void;
  };
}

/** Runs in the page, until all is drawn. @returns how many features are */
export function showView([lon, lat, zoom]: readonly [number, number, number]): Promise<number> {
  const { map } = globalThis as unknown as MapPage;
  return new Promise((resolve) => {
    map.once('idle', () => resolve(map.queryRenderedFeatures().length));
    map.jumpTo({ center: [lon, lat], zoom });
    map.triggerRepaint();
  });
}
