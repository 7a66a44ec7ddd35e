// Runs in the browser, in place of start.ts where an app is in a folder on any web server: see bundle-page.ts. Sent
// with its types stripped. URLs of the configuration are relative to the folder, which not every reader resolves: they
// are made absolute before start.ts takes over.

interface BundleConfig {
  /** JSON pointers (RFC 6901) to values relative to the folder. */
  readonly addresses?: readonly string[];
}

/** Two folders above the engine's. */
const root = new URL('../../', document.baseURI).href;

function makeAbsolute(config: object, pointer: string): void {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop()!;
  let holder = config as Record<string, unknown>;
  for (const key of keys) holder = holder[key] as Record<string, unknown>;
  // not by URL, which would encode the braces of templates
  holder[last] = root + String(holder[last]);
}

async function placeConfig(meta: HTMLMetaElement): Promise<void> {
  const response = await fetch(meta.content);
  if (!response.ok) return;
  const config = (await response.json()) as BundleConfig;
  for (const pointer of config.addresses ?? []) makeAbsolute(config, pointer);
  meta.content = URL.createObjectURL(new Blob([JSON.stringify(config)], { type: 'application/json' }));
}

const meta = document.querySelector<HTMLMetaElement>('meta[name="platen:config"]');
// start.ts fails the same way, and reports it to the user
if (meta !== null) await placeConfig(meta).catch(reportError);
await import(new URL('start.js', import.meta.url).href);

export {};
