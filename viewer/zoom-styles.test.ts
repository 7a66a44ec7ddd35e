import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareAt, styleByZoom, zoomOfCamera, type ZoomApp, type ZoomCore } from './zoom-styles.ts';

const zoomSize = { far: 5, near: 9, share: 0.5 };

test('sizes are linear between the far and the near zoom, and constant beyond', () => {
  assert.deepEqual(
    [2, 5, 7, 9, 20].map((zoom) => shareAt(zoomSize, zoom)),
    [0.5, 0.5, 0.75, 1, 1],
  );
  assert.equal(shareAt({ far: 9, near: 9, share: 3 }, 9), 1);
});

function cameraAt(height: number) {
  const listeners: (() => void)[] = [];
  const positionCartographic = { height, latitude: 0 };
  const camera = {
    positionCartographic,
    frustum: { fovy: Math.PI / 3 },
    moveEnd: { addEventListener: (listener: () => void) => listeners.push(listener) },
  };
  const scene = { canvas: { clientHeight: 1000 }, camera };
  return {
    scene,
    moveTo(metres: number) {
      positionCartographic.height = metres;
      for (const listener of listeners) listener();
    },
  };
}

test('the zoom of a camera is that of a flat map on which the ground is as large', () => {
  // 1,000 pixels of 2 × height × tan 30° metres
  const height = (156_543.033_928 / 2 ** 10) * 500 * Math.sqrt(3);
  assert(Math.abs(zoomOfCamera(cameraAt(height).scene) - 10) < 1e-9);
});

/** As the engine's: points of scale 1 or as their style says, lines of 4 pixels. */
function engineWith(style: object, scale?: number) {
  const drawn = { scale: 1, width: 4, hasText: true };
  const prototype = {
    _stylePoint: () => {
      if (scale !== undefined) drawn.scale = scale;
      drawn.hasText = true;
      return {
        getImage: () => ({
          getScaleArray: () => [drawn.scale],
          setScale: (factor: number) => (drawn.scale = factor),
        }),
        setText: () => (drawn.hasText = false),
      };
    },
    _styleLineString: () => {
      drawn.width = 4;
      return { getStroke: () => ({ getWidth: () => 4, setWidth: (w: number) => (drawn.width = w) }) };
    },
    _styleFunction(feature: { readonly isLine: boolean }) {
      return feature.isLine ? this._styleLineString() : this._stylePoint();
    },
  };
  const activate: ((map: object) => void)[] = [];
  const maps: { activeMap?: object } = {};
  const app = {
    maps: Object.assign(maps, { mapActivated: { addEventListener: (l: never) => activate.push(l) } }),
  };
  styleByZoom({ DeclarativeStyleItem: { prototype } } as unknown as ZoomCore, app as unknown as ZoomApp);
  let redraws = 0;
  const item = Object.assign(Object.create(prototype) as typeof prototype, {
    properties: { mapStyle: { style } },
    cesiumStyle: { scale },
    _styleChanged: () => (redraws += 1),
  });
  return {
    drawn,
    redraws: () => redraws,
    draw(isLine = false, resolution?: number) {
      (item._styleFunction as (feature: object, resolution?: number) => unknown)({ isLine }, resolution);
      return { ...drawn };
    },
    show(map: object) {
      maps.activeMap = map;
      for (const listener of activate) listener(map);
    },
  };
}

test('points and lines of flat maps have the size of their resolution', () => {
  const resolutionAt = (zoom: number) => 156_543.033_928 / 2 ** zoom;
  for (const scale of [undefined, 0.4]) {
    const engine = engineWith({ zoomSize }, scale);
    engine.show({ className: 'OpenlayersMap' });
    const sizes = [5, 7, 9].map((zoom) => engine.draw(false, resolutionAt(zoom)).scale / (scale ?? 1));
    assert.deepEqual(
      sizes.map((size) => Math.round(size * 1e6) / 1e6),
      [0.5, 0.75, 1],
    );
    assert.equal(engine.draw(true, resolutionAt(5)).width, 2);
  }
  const plain = engineWith({});
  plain.show({ className: 'OpenlayersMap' });
  assert.deepEqual(plain.draw(true, resolutionAt(5)), { scale: 1, width: 4, hasText: true });
});

test('globes draw again when the camera has come half a zoom nearer, and hide labels beyond their distance', () => {
  const engine = engineWith({ zoomSize, label: { maxDistance: 50_000 } });
  const camera = cameraAt(10_000_000);
  engine.show({ className: 'CesiumMap', getScene: () => camera.scene });
  assert.deepEqual(engine.draw(), { scale: 0.5, width: 4, hasText: false });
  camera.moveTo(9_000_000);
  assert.equal(engine.redraws(), 0);
  camera.moveTo(20_000);
  assert.equal(engine.redraws(), 1);
  assert.deepEqual(engine.draw(), { scale: 1, width: 4, hasText: true });
  camera.moveTo(10_000_000);
  assert.equal(engine.redraws(), 2);
  engine.draw();
  engine.show({ className: 'ObliqueMap' });
  assert.equal(engine.redraws(), 3);
  assert.equal(engine.draw(false, 3).scale, 1);
});

test('labels are drawn from their zoom on, on flat maps and globes', () => {
  const engine = engineWith({ label: { minZoom: 7 } });
  engine.show({ className: 'OpenlayersMap' });
  const hasTextAt = (zoom: number) => engine.draw(false, 156_543.033_928 / 2 ** zoom).hasText;
  assert.deepEqual([hasTextAt(6.9), hasTextAt(7), hasTextAt(12)], [false, true, true]);
  const camera = cameraAt(10_000_000);
  engine.show({ className: 'CesiumMap', getScene: () => camera.scene });
  assert.equal(engine.draw().hasText, false);
  camera.moveTo(20_000);
  assert.equal(engine.draw().hasText, true);
});
