import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Built like the tools of VC Map build plugins: it imports the shared scripts of the engine above it. */
const script = `
import { GeoJSONLayer, VcsApp } from '../../../assets/core.js';
import { VcsUiApp } from '../../../assets/ui.js';

export default function lamps({ where }, baseUrl) {
  return {
    name: '@city/lamps',
    version: '1.0.0',
    mapVersion: '>=5',
    initialize(app) {
      if (!(app instanceof VcsUiApp && app instanceof VcsApp)) throw new Error('These are the scripts of another engine.');
      const layer = new GeoJSONLayer({
        name: 'lamps',
        features: [{ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [where] } }],
        style: { type: 'VectorStyleItem', fill: { color: 'rgba(255,0,0,1)' } },
      });
      app.layers.add(layer);
      layer.activate();
    },
    onVcsAppMounted() {
      const icon = document.body.appendChild(new Image());
      icon.id = 'lamp';
      icon.src = new URL('plugin-assets/lamp.svg', baseUrl).href;
    },
  };
}
`;

const lamp =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><circle cx="4" cy="4" r="4"/></svg>';

const files = {
  'package.json': JSON.stringify({ name: '@city/lamps', version: '1.0.0', mapVersion: '>=5', files: ['*'] }),
  'dist/index.js': script,
  'plugin-assets/lamp.svg': lamp,
};

/** A plugin that puts a red square on the map, and a picture on the page, by `npm pack`. */
export async function packLamps(): Promise<Blob> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-plugin-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    await run('npm', ['pack', '--ignore-scripts', '--offline'], { cwd: folder });
    return new Blob([await readFile(join(folder, 'city-lamps-1.0.0.tgz'))]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
