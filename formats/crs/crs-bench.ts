import proj4 from 'proj4';
import { middleOf } from './area.ts';
import { findCrs } from './find-crs.ts';

// Million points a second, ours and proj4's in the same run: node formats/crs/crs-bench.ts
const count = 200_000;
const rounds = 5;

/** A tenth of a degree around the middle of the area. */
function placesIn(code: string): Float64Array {
  const [lon, lat] = middleOf(findCrs(code).area!);
  return Float64Array.from({ length: 2 * count }, (_, i) => {
    const step = ((i * 7919) % 1000) / 10_000;
    return i % 2 === 0 ? lon + step : lat + step;
  });
}

function fastest(run: () => void): number {
  let best = Infinity;
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  return count / best / 1000;
}

const definitions = {
  'EPSG:3857':
    '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null',
  'EPSG:25832': '+proj=utm +zone=32 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m',
  'EPSG:31468': '+proj=tmerc +lat_0=0 +lon_0=12 +k=1 +x_0=4500000 +y_0=0 +datum=potsdam +units=m',
  'EPSG:28992':
    '+proj=sterea +lat_0=52.1561605555556 +lon_0=5.38763888888889 +k=0.9999079 +x_0=155000 +y_0=463000 +ellps=bessel +towgs84=565.4171,50.3319,465.5524,-0.398957,0.343988,-1.87740,4.0725 +units=m',
  'EPSG:2154':
    '+proj=lcc +lat_1=49 +lat_2=44 +lat_0=46.5 +lon_0=3 +x_0=700000 +y_0=6600000 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m',
};

for (const [code, definition] of Object.entries(definitions)) {
  const crs = findCrs(code);
  const projected = placesIn(code);
  crs.fromLonLat(projected, count);
  const scratch = new Float64Array(2 * count);
  const ours = fastest(() => {
    scratch.set(projected);
    crs.toLonLat(scratch, count);
  });
  const converter = proj4(definition);
  const theirs = fastest(() => {
    for (let i = 0; i < 2 * count; i += 2) {
      const [lon, lat] = converter.inverse([projected[i]!, projected[i + 1]!]);
      scratch[i] = lon!;
      scratch[i + 1] = lat!;
    }
  });
  const line = {
    code,
    oursMillionPerSecond: ours.toFixed(2),
    proj4: theirs.toFixed(2),
    ratio: (ours / theirs).toFixed(1),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
