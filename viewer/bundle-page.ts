import { createHash } from 'node:crypto';
import { viewerCsp } from './csp.ts';
import { appPage, type AppPageOptions } from './page.ts';
import { scriptBody } from './script-source.ts';
import { startScript } from './start-script.ts';

interface BundlePageOptions extends Pick<AppPageOptions, 'title' | 'engineVersion' | 'preload'> {
  readonly description: string;
  /** Of the configuration, relative to the page. */
  readonly configPath: string;
  /** The foreign origins of the app's layers. */
  readonly hosts: readonly string[];
}

/**
 * The page of an app in a folder that any web server offers, wherever it lies: all addresses are relative. Files lie as they
 * do at the service, the engine in `engines/<version>/`, the scripts of `bundleScripts` in `engines/platen/`.
 */
export function bundlePage({ configPath, hosts, ...options }: BundlePageOptions): string {
  const [start] = bundleScripts();
  return appPage({
    ...options,
    appId: '',
    isIndexed: true,
    base: `engines/${encodeURIComponent(options.engineVersion)}/`,
    // relative to the base
    script: `../../${start.path}`,
    configPath: `../../${configPath}`,
    policy: policyOf(hosts),
  });
}

/** Who may frame it only a header could say: browsers complain where it stands in a page. */
function policyOf(hosts: readonly string[]): string {
  const directives = viewerCsp(hosts).split('; ');
  return directives.filter((directive) => !directive.startsWith('frame-ancestors')).join('; ');
}

interface BundleScript {
  /** Relative to the page; changes with the content. */
  readonly path: string;
  readonly body: string;
}

let scripts: readonly [BundleScript, BundleScript] | undefined;

/** What starts an app in a bundle, and what that gives the rest to do. */
export function bundleScripts(): readonly [BundleScript, BundleScript] {
  if (scripts === undefined) {
    const { path, body } = startScript();
    const next = { path: path.slice(1), body };
    const name = path.slice(path.lastIndexOf('/') + 1);
    const own = scriptBody('bundle-start').replace("'start.js'", `'${name}'`);
    const hash = createHash('sha256').update(own).digest('hex').slice(0, 16);
    scripts = [{ path: `engines/platen/bundle-start-${hash}.js`, body: own }, next];
  }
  return scripts;
}
