import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Point } from './testing-archives.ts';
import { png, tmsFolder, within } from './testing-pictures.ts';
import { terrainFiles } from './testing-terrain.ts';
import { polygon, squareAround } from './testing-vectors.ts';

interface Places {
  readonly wms: Point;
  readonly tms: Point;
  readonly geojson: Point;
}

interface MapServer {
  readonly url: string;
  /** What browsers asked for, with what was answered; the service asks for more, to find out what there is. */
  readonly requests: { readonly path: string; readonly status: number }[];
  stop(): Promise<void>;
}

type Answer = { readonly type: string; readonly content: string | Uint8Array } | undefined;

/** Red by GetMap, green by tiles of the world, blue by those of a WMTS, as the colours of what a map shows. */
export const wmsColour = [230, 0, 0, 255] as const;
export const tileColour = [0, 200, 0, 255] as const;
export const wmtsColour = [0, 0, 230, 255] as const;

/** A server of somebody else on an origin of its own: a WMS, tiles, a GeoJSON and flat terrain, which any page may read. */
export async function startMapServer(places: Places): Promise<MapServer> {
  const tms = new Map(tmsFolder(places.tms));
  const terrain = new Map(terrainFiles());
  const answerOf = ({ pathname, searchParams }: URL): Answer => {
    if (pathname === '/wms') return wms(searchParams, places.wms);
    if (/^\/tiles\/\d+\/\d+\/\d+\.png$/.test(pathname))
      return { type: 'image/png', content: png(tileColour) };
    if (/^\/wmts\/\d+\/\d+\/\d+\.png$/.test(pathname)) return { type: 'image/png', content: png(wmtsColour) };
    const ofTerrain = terrain.get(pathname.slice('/terrain/'.length));
    if (ofTerrain !== undefined) return { type: 'application/vnd.quantized-mesh', content: ofTerrain };
    if (pathname === '/place.geojson')
      return {
        type: 'application/geo+json',
        content: JSON.stringify(polygon(squareAround(places.geojson))),
      };
    const content = tms.get(pathname.slice('/tms/'.length));
    const type = pathname.endsWith('.xml') ? 'text/xml' : 'image/png';
    return content === undefined ? undefined : { type, content };
  };
  const requests: MapServer['requests'][number][] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://localhost');
    const answer = answerOf(url);
    const status = answer ? 200 : 404;
    if (request.headers['sec-fetch-mode'] !== undefined) requests.push({ path: request.url!, status });
    response.writeHead(status, {
      'access-control-allow-origin': '*',
      'content-type': answer?.type ?? 'text/plain',
    });
    response.end(answer?.content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, requests, stop };
}

/** What the coordinate system is called, by version. */
const systemNames: Readonly<Record<string, string>> = { '1.1.1': 'SRS', '1.3.0': 'CRS' };

/** Parameters have any case. What a client needs to send for a picture is required, as by other servers. */
function wms(query: URLSearchParams, place: Point): Answer {
  const sent = new Map([...query].map(([name, value]) => [name.toUpperCase(), value]));
  if (sent.get('REQUEST') === 'GetCapabilities') return { type: 'text/xml', content: capabilities(place) };
  const isComplete =
    sent.get('REQUEST') === 'GetMap' &&
    sent.get('LAYERS') === 'plots' &&
    /^(EPSG|CRS):\d+$/.test(sent.get(systemNames[sent.get('VERSION') ?? ''] ?? '') ?? '') &&
    ['BBOX', 'WIDTH', 'HEIGHT', 'FORMAT', 'STYLES'].every((name) => sent.has(name));
  return isComplete ? { type: 'image/png', content: png(wmsColour) } : undefined;
}

function capabilities(place: Point): string {
  const [west, south, east, north] = within(place);
  return `<WMS_Capabilities version="1.3.0"><Service><Title>Plots</Title></Service><Capability>
    <Request><GetMap><Format>image/png</Format></GetMap></Request>
    <Layer><Title>All</Title><CRS>EPSG:3857</CRS><CRS>EPSG:4326</CRS>
    <Layer><Name>plots</Name><Title>Plots</Title><EX_GeographicBoundingBox>
    <westBoundLongitude>${west}</westBoundLongitude><eastBoundLongitude>${east}</eastBoundLongitude>
    <southBoundLatitude>${south}</southBoundLatitude><northBoundLatitude>${north}</northBoundLatitude>
    </EX_GeographicBoundingBox></Layer></Layer></Capability></WMS_Capabilities>`;
}
