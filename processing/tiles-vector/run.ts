import { createKeyTable, type KeyTable } from '@platen/geo/mvt/attributes';
import { createTileEncoder } from '@platen/geo/mvt/tile-encoder';
import { createArchiveWriter } from '@platen/geo/pmtiles/writer';
import { simplificationLimits } from '@platen/geo/simplify/vertex-zooms';
import { worldBits, worldSize } from '@platen/geo/tile/world-grid';
import { JobFailure, type JobContext, type JobResult, type RunJob } from '../job-type.ts';
import { createBounds, type Bounds } from './bounds.ts';
import { createBreather, type Breather } from './breather.ts';
import { cutTiles } from './cut-tiles.ts';
import { createDensity, type Density } from './density.ts';
import { createIngest, type IngestCounts } from './ingest.ts';
import { createLayers, layerNameOf, type Layers } from './layers.ts';
import { metadataOf, vectorLayersOf, type TilesetSummary } from './metadata.ts';
import { LateCrs, readInputs } from './read-inputs.ts';
import { createRecordWriter } from './record-writer.ts';
import { openScratchFile } from './scratch.ts';
import { readSettings, warnOfUnknownOptions, type Settings } from './settings.ts';
import { deepestZoom, tilesVector } from './spec.ts';
import { createSpool, type Spool } from './spool.ts';
import { archiveName, gzip, writeArchive } from './write-archive.ts';

interface Read {
  readonly keys: KeyTable;
  readonly layers: Layers;
  readonly density: Density;
  readonly bounds: Bounds;
  readonly counts: IngestCounts;
}

/** Reads features into a spool, then cuts them into tiles, then puts the archive together. */
export const runTilesVector: RunJob<typeof tilesVector> = async (options, context) => {
  warnOfUnknownOptions(options, (...warning) => context.warn(...warning));
  const settings = readSettings(options);
  refuseImpossible(settings, context);
  const breather = createBreather(context.signal);
  const spool = createSpool(context.scratchFolder, settings.memoryBytes);
  const read = await readAll(settings, context, spool);
  refuseUseless(read.counts, context);
  const maxZoom = settings.maxZoom ?? Math.max(settings.minZoom, read.density.guessZoom(settings.extent));
  context.log('info', `Read ${read.counts.used} features, cutting zoom ${settings.minZoom} to ${maxZoom}.`, {
    ...read.counts,
    maxZoom,
    spilled: spool.file !== undefined,
  });
  return cutAndWrite({ settings, context, spool, read, maxZoom, breather });
};

async function readAll(settings: Settings, context: JobContext, spool: Spool): Promise<Read> {
  const unitsAtZoom0 = worldSize / settings.extent;
  const lateCrs = new Map<string, string>();
  for (;;) {
    const layers = createLayers();
    const density = createDensity();
    const bounds = createBounds();
    const keys = createKeyTable();
    const writer = createRecordWriter({
      spool,
      halo: settings.buffer === 0 ? 0 : ((settings.buffer + 1) * unitsAtZoom0) / 2 ** settings.minZoom,
      onRecord(words, shape, type) {
        density.count(words, shape, type);
        bounds.add(words, shape);
      },
    });
    const ingest = createIngest(settings, keys, writer, (...warning) => context.warn(...warning));
    // Weighed for every zoom there can be, as the highest is not known yet.
    const limits = simplificationLimits(settings.simplification, unitsAtZoom0, deepestZoom);
    try {
      await readInputs(context, { ingest, layers, settings, limits, lateCrs });
      spool.end();
      return { keys, layers, density, bounds, counts: ingest.counts };
    } catch (error) {
      if (!(error instanceof LateCrs)) throw error;
      context.log('info', 'A file names its CRS after its features, reading again.', { crs: error.crs });
      lateCrs.set(error.path, error.crs);
      spool.clear();
    }
  }
}

interface Cutting {
  readonly settings: Settings;
  readonly context: JobContext;
  readonly spool: Spool;
  readonly read: Read;
  readonly maxZoom: number;
  readonly breather: Breather;
}

async function cutAndWrite({
  settings,
  context,
  spool,
  read,
  maxZoom,
  breather,
}: Cutting): Promise<JobResult> {
  const { minZoom, extent, buffer, simplification } = settings;
  const writer = createArchiveWriter({
    openScratch: (name) => openScratchFile(context.scratchFolder, name),
    gzip,
  });
  const encoder = createTileEncoder({
    extent,
    buffer,
    maxZoom,
    dustLength: Math.max(1, simplification),
    dustArea: 16,
    layers: read.layers.all.map((layer) => layer.name),
    keys: read.keys.names,
    longestTileBytes: settings.memoryBytes / 8,
  });
  await cutTiles({
    spool,
    encoder,
    minZoom,
    maxZoom,
    extent,
    buffer,
    scratchFolder: context.scratchFolder,
    breather,
    onProgress: (done) => context.progress('cut', Math.round(done * 1000), 1000),
    onTile(z, x, y, bytes, features, refused) {
      const length = writer.addTile(z, x, y, bytes);
      const tile = `${z}/${x}/${y}`;
      if (length > settings.tileLimitBytes) {
        const kilobytes = Math.ceil(length / 1000);
        const message = `Tile ${tile} has ${kilobytes} kB, more than the limit of ${settings.tileLimitBytes / 1000} kB. A higher minimum zoom or fewer attributes make tiles smaller.`;
        context.warn('tileTooLarge', message, { tile, kilobytes, features });
      }
      if (refused > 0) {
        const message = `Tile ${tile} is so full that ${refused} of its features did not fit into memory and were left out.`;
        context.warn('tileTruncated', message, { tile, refused });
      }
    },
  });
  spool.clear();

  const bbox = read.bounds.degrees();
  const center = [(bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2, minZoom] as const;
  const name = settings.name ?? layerNameOf(context.inputs[0]!.name);
  const summary: TilesetSummary = { name, minZoom, maxZoom, bounds: bbox, center };
  const metadata = metadataOf(read.layers.all, summary, settings);
  const header = await writeArchive(
    writer,
    { metadata, minZoom, maxZoom, bounds: bbox, center },
    context.outputFolder,
    breather,
  );
  context.progress('write', 1, 1);
  context.log('info', `Wrote ${header.addressedTiles} tiles.`, {
    tiles: header.addressedTiles,
    bytes: header.dataLength,
  });
  const vectorLayers = vectorLayersOf(read.layers.all, minZoom, maxZoom);
  return {
    datasource: {
      type: tilesVector.datasourceType,
      path: archiveName,
      bbox,
      typeProperties: { minZoom, maxZoom },
      properties: { featureCount: read.counts.used, tileCount: header.addressedTiles, vectorLayers },
    },
  };
}

function refuseImpossible({ minZoom, maxZoom, extent }: Settings, { inputs }: JobContext): void {
  if (inputs.length === 0) throw new JobFailure('emptyInput', 'There is no input file.');
  if (maxZoom !== undefined && maxZoom < minZoom) {
    throw new JobFailure('zoomRange', `tiling.maxZoom (${maxZoom}) is below tiling.minZoom (${minZoom}).`);
  }
  if (minZoom > worldBits - Math.log2(extent))
    throw new JobFailure('zoomRange', 'tiling.minZoom is too high.');
}

/** Fails where the input gives no tiles at all, or is so clearly in another CRS that what is left is chance. */
function refuseUseless(counts: IngestCounts, { inputs }: JobContext): void {
  const files = inputs.map((input) => input.name).join(', ');
  if (counts.read === 0) throw new JobFailure('emptyInput', `${files}: no features.`);
  if (counts.invalidCoordinates * 2 > counts.read) {
    throw new JobFailure(
      'invalidCoordinates',
      `${files}: ${counts.invalidCoordinates} of ${counts.read} features have coordinates that are no longitudes and latitudes. The data is probably in a projected CRS: transform it to EPSG:4326, or name its CRS at the input.`,
    );
  }
  if (counts.used > 0) return;
  if (counts.withoutGeometry === counts.read) {
    throw new JobFailure('emptyInput', `${files}: none of the ${counts.read} features has a geometry.`);
  }
  throw new JobFailure(
    'invalidGeometry',
    `${files}: none of the ${counts.read} features has a usable geometry.`,
  );
}
