/** Resources that an app's page may use beyond the service itself. */
export interface ViewerCspOptions {
  /**
   * The service's own origin, such as `https://maps.example.org`. With it, scripts are allowed from `/engines/` only,
   * so that an uploaded file never runs as a script of the service. Without it, any script of the same origin may run.
   */
  readonly origin?: string;
  /** Origins that may embed the page in a frame, besides the service itself; `*` for any. */
  readonly embedders?: readonly string[];
}

/** A scheme, a host name that may start with `*.`, and perhaps a port: nothing that could end a directive. */
const hostSource = /^https?:\/\/(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?$/i;

function checkedSources(sources: readonly string[]): string[] {
  for (const source of sources) {
    if (!hostSource.test(source)) throw new TypeError(`Not an origin: ${JSON.stringify(source)}`);
  }
  return [...new Set(sources)].toSorted();
}

const framesOf = (embedders: readonly string[]) =>
  embedders.includes('*') ? ['*'] : ["'self'", ...checkedSources(embedders)];

/**
 * The Content-Security-Policy of an app's page. `hosts` are the foreign origins of the app's layers, as
 * `https://tiles.example.org`; throws a TypeError if one of them is not an origin.
 *
 * WebAssembly decodes Draco and KTX2, `blob:` carries I3S geometry and workers, `data:` the CSS of plugins;
 * `unsafe-eval` is not needed because start.ts switches the engine's message compiler.
 */
export function viewerCsp(hosts: readonly string[] = [], options: ViewerCspOptions = {}): string {
  const foreign = checkedSources(hosts);
  const [origin] = options.origin === undefined ? [] : checkedSources([options.origin]);
  const scripts = origin === undefined ? "'self'" : `${origin}/engines/`;
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': [scripts, "'wasm-unsafe-eval'"],
    'worker-src': [scripts, 'blob:'],
    'style-src': ["'self'", "'unsafe-inline'", 'data:'],
    'img-src': ["'self'", 'data:', 'blob:', ...foreign],
    'font-src': ["'self'", 'data:'],
    'connect-src': ["'self'", 'data:', 'blob:', ...foreign],
    'media-src': ["'self'", 'data:', 'blob:', ...foreign],
    'frame-src': ["'self'", ...foreign],
    'base-uri': ["'self'"],
    'form-action': ["'none'"],
    'frame-ancestors': framesOf(options.embedders ?? []),
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}
