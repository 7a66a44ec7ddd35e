import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScratchLog } from '../pmtiles/writer.ts';
import { createInt32Buffer } from '../shape/int32-buffer.ts';
import { worldSize } from '../tile/world-grid.ts';
import { createFeatureDensity } from './feature-density.ts';
import { recordHeaderWords } from './feature-record.ts';

const featureCount = 20_000;

/** Keeps what is appended in memory, in parts as a file gives them. */
function logsInMemory() {
  const open = new Set<ScratchLog>();
  let opened = 0;
  return {
    open,
    opened: () => opened,
    create(): ScratchLog {
      const chunks: Buffer[] = [];
      let length = 0;
      opened++;
      const log: ScratchLog = {
        get length() {
          return length;
        },
        append(bytes) {
          chunks.push(Buffer.from(bytes));
          length += bytes.length;
        },
        *parts() {
          const all = new Uint8Array(Buffer.concat(chunks));
          for (let at = 0; at < all.length; at += 4096) yield all.subarray(at, at + 4096);
        },
        remove: () => void open.delete(log),
      };
      open.add(log);
      return log;
    },
  };
}

/** Piles, clumps and lone boxes of four layers. */
function features() {
  let state = 7;
  const random = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32;
  return Array.from({ length: featureCount }, (_, i) => {
    const clump = i % 3 === 0 ? 0.3 : random();
    const [x, y] = [clump, i % 5 === 0 ? clump : random()].map((share) =>
      Math.floor(share * (worldSize - 1)),
    );
    const side = i % 7 === 0 ? Math.floor(random() * (worldSize / 100)) : 0;
    return { layer: i % 4, box: [x!, y!, x! + side, y! + side], bytes: 5 + (i % 50) };
  });
}

const all = features();
const store = createInt32Buffer(64);
const shape = recordHeaderWords;

function keptOf(density: ReturnType<typeof createFeatureDensity>, limits: readonly [number, number]) {
  density.begin(0, 0, 0);
  for (const { layer, box, bytes } of all) {
    store.words.fill(0);
    store.words[1] = layer << 3;
    store.words.set(box, shape + 1);
    density.push(store, 0, shape, bytes);
  }
  density.choose(...limits);
  return all
    .keys()
    .filter((i) => density.isKept(i))
    .toArray();
}

test('the same features are kept whether all are in memory or most are in logs', () => {
  const inMemory = createFeatureDensity({ comparesAttributes: false });
  for (const maxFeaturesInMemory of [1000, 1024, 9000, featureCount - 1, featureCount]) {
    const logs = logsInMemory();
    const density = createFeatureDensity({
      comparesAttributes: false,
      scratch: { maxFeaturesInMemory, open: logs.create },
    });
    for (const limits of [
      [40_000, 100_000],
      [1e9, 500],
      [1, 1],
    ] as const) {
      const kept = keptOf(density, limits);
      assert.deepEqual(kept, keptOf(inMemory, limits));
      assert.ok(kept.length > 0 && kept.length < featureCount / 2, `${kept.length}`);
      assert.equal(density.featuresOnCurve() === undefined, maxFeaturesInMemory < featureCount);
    }
    density.begin(0, 0, 0);
    assert.equal(logs.open.size, 0, 'the logs of a tile are removed with the next');
    assert.equal(logs.opened() > 0, maxFeaturesInMemory < featureCount);
  }
});
