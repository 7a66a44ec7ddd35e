import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Devtools, Params } from './devtools.ts';

/** What is rendered, and how long it may take. */
export interface RenderOrder {
  /** The page of the map, at the address that visitors know. */
  readonly url: string;
  /** Where the service answers on this machine. */
  readonly host: string;
  readonly port: number;
  readonly width: number;
  readonly height: number;
  /** After so long, the map counts as drawn, whatever it still loads. */
  readonly maxMs: number;
}

/** No request for so long after the start of the map: it has all that its first view needs. */
const quietMs = 2500;
const pollMs = 250;
/** Above this, a map is no picture but a download. */
const maxBytes = 200_000_000;

/**
 * Renders the page of a map, without its buttons and panels. The browser has no network: the service answers all that is
 * asked of its own address, and nothing else is answered.
 * @returns a PNG @throws if the map does not start
 */
export async function renderPage(browser: Devtools, order: RenderOrder): Promise<Buffer> {
  const { url, width, height, maxMs } = order;
  const until = performance.now() + maxMs;
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const page = (method: string, params?: Params) => browser.send(method, params, sessionId as string);
  const traffic = answerRequests(browser, page, order);
  await page('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  await page('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  await page('Page.navigate', { url });
  const evaluate = async (expression: string) => {
    const { result } = await page('Runtime.evaluate', { expression, awaitPromise: true });
    return (result as { value?: unknown }).value;
  };
  while ((await evaluate(hasMap)) !== true) {
    if (performance.now() > until) throw new Error('The map did not start in time.');
    await sleep(pollMs);
  }
  await evaluate(onlyMap);
  const isDone = async () => traffic.quietMs() >= quietMs && (await evaluate(isDrawn)) === true;
  while (performance.now() < until && !(await isDone())) await sleep(pollMs);
  const { data } = await page('Page.captureScreenshot', { format: 'png' });
  return Buffer.from(data as string, 'base64');
}

const hasMap = 'globalThis.vcs?.getFirstApp?.()?.maps.activeMap != null';
/** The map covers the page; what lies over it until it is drawn goes. Counts the frames of a globe. */
const onlyMap = `(() => {
  const { target, activeMap } = vcs.getFirstApp().maps;
  document.querySelectorAll('#poster').forEach((poster) => poster.remove());
  target.style.cssText = 'position:fixed;inset:0;width:100vw;height:100vh;z-index:2147483647';
  document.body.append(target);
  globalThis.framesDrawn = 0;
  activeMap.getScene?.()?.postRender.addEventListener(() => framesDrawn++);
  dispatchEvent(new Event('resize'));
})()`;
const minFrames = 5;
const isDrawn = `(() => {
  const scene = vcs.getFirstApp().maps.activeMap.getScene?.();
  return scene == null || (framesDrawn >= ${minFrames} && scene.globe.tilesLoaded);
})()`;

/** Answers what the page asks for. */
function answerRequests(
  browser: Devtools,
  page: (method: string, params?: Params) => Promise<Params>,
  { url, host, port }: RenderOrder,
) {
  const { origin, host: publicHost } = new URL(url);
  let open = 0;
  let last = performance.now();
  let bytes = 0;
  const answer = async ({ requestId, request: paused }: Params): Promise<void> => {
    const { url: address, method, headers } = paused as { url: string; method: string; headers: Headers };
    const { origin: wanted, pathname, search } = new URL(address);
    const isPicture = /^\/app\/[^/]+\/preview\.\w+$/.test(pathname); // it is being made
    if (wanted !== origin || method !== 'GET' || isPicture || bytes > maxBytes) {
      await page('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      return;
    }
    const reply = await get({
      host,
      port,
      path: pathname + search,
      headers: { ...headers, host: publicHost },
    });
    bytes += reply.body.length;
    await page('Fetch.fulfillRequest', {
      requestId,
      responseCode: reply.status,
      responseHeaders: headersOf(reply.headers),
      body: reply.body.toString('base64'),
    });
  };
  browser.on('Fetch.requestPaused', (params) => {
    open += 1;
    void answer(params)
      .catch(() => page('Fetch.failRequest', { requestId: params['requestId'], errorReason: 'Failed' }))
      .catch(() => {}) // the page has given it up
      .finally(() => {
        open -= 1;
        last = performance.now();
      });
  });
  return { quietMs: () => (open > 0 ? 0 : performance.now() - last) };
}

type Headers = Readonly<Record<string, string>>;

interface LocalRequest {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Headers;
}

async function get(options: LocalRequest) {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    request(options, resolve).on('error', reject).end();
  });
  return { status: reply.statusCode!, headers: reply.headers, body: await buffer(reply) };
}

const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

function headersOf(headers: IncomingHttpHeaders): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    ofConnection.has(name) || value === undefined ? [] : [value].flat().map((one) => ({ name, value: one })),
  );
}
