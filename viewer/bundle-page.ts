import { viewerCsp } from './csp.ts';
import { mapTypeface } from './font-file.ts';
import { hashedPath } from './hashed-path.ts';
import { appPage, type AppPageOptions } from './page.ts';
import { scriptBody } from './script-source.ts';
import { startScript } from './start-script.ts';

interface BundlePageOptions extends Pick<AppPageOptions, 'title' | 'engineVersion' | 'preload'> {
  readonly description: string;
  /** Path of the configuration, relative to the page. */
  readonly configPath: string;
  /** Path of the picture that lies over the map until that is drawn, relative to the page. */
  readonly posterPath?: string;
  /** The foreign origins of the app's layers. */
  readonly hosts: readonly string[];
}

/**
 * The page of an app in a folder on any web server: all URLs are relative. Files have the same layout as on the
 * service: the engine in `engines/<version>/`, the scripts of `bundleScripts` and the typeface in
 * `engines/platen/`.
 */
export function bundlePage({ configPath, posterPath, hosts, ...options }: BundlePageOptions): string {
  const [start] = bundleScripts();
  return appPage({
    ...options,
    appId: '',
    isIndexed: true,
    base: `engines/${encodeURIComponent(options.engineVersion)}/`,
    // relative to the base
    script: `../../${start.path}`,
    font: `../..${mapTypeface().style.path}`,
    configPath: `../../${configPath}`,
    ...(posterPath !== undefined && { poster: `../../${posterPath}` }),
    policy: policyOf(hosts),
  });
}

/** Without frame-ancestors, which browsers accept in a header only. */
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

/** The script that starts an app in a bundle, and the start script that it loads. */
export function bundleScripts(): readonly [BundleScript, BundleScript] {
  if (scripts === undefined) {
    const { path, body } = startScript();
    const next = { path: path.slice(1), body };
    const name = path.slice(path.lastIndexOf('/') + 1);
    const own = scriptBody('bundle-start').replace("'start.js'", `'${name}'`);
    scripts = [{ path: hashedPath('engines/platen/bundle-start.js', own), body: own }, next];
  }
  return scripts;
}
