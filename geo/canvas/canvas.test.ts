import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCanvas, fillBox, paintMask } from './canvas.ts';
import { darken, formatColour, parseColour, rampColour } from './colour.ts';
import { createDepthCanvas, drawSpot, fillSurface } from './depth-canvas.ts';
import { createFill } from './fill-rings.ts';
import { copyPicture, createPicture, type Picture } from './picture.ts';
import { enlargePicture, fitPicture, shrinkPicture } from './resize-picture.ts';
import { drawDisc, strokePath } from './stroke.ts';
import { trimmedRange } from './trimmed-range.ts';

const white = [255, 255, 255] as const;
const all = { left: 0, top: 0, right: 20, bottom: 10 };
const whole = { scale: 1, left: 0, top: 0 };

function pathOf(...parts: (readonly (readonly [number, number])[])[]) {
  const partEnds = parts.map((_, i) => parts.slice(0, i + 1).flat().length);
  return { coordinates: Int32Array.from(parts.flat(2)), partEnds };
}

const sumOf = (mask: Float32Array) => mask.reduce((total, value) => total + value, 0);
const isNear = (a: number, b: number, by = 1e-4) => assert.ok(Math.abs(a - b) <= by, `${a} is not ${b}`);

test('a filled ring covers its area, and a hole none of it', () => {
  const canvas = createCanvas(createPicture(20, 10, white));
  const outer = [
    [2, 1],
    [18, 1],
    [18, 9],
    [2, 9],
  ] as const;
  const hole = [
    [4, 3],
    [4, 5],
    [9, 5],
    [9, 3],
  ] as const;
  createFill(canvas)(pathOf(outer, hole), whole, all);
  isNear(sumOf(canvas.mask), 16 * 8 - 10);
  assert.equal(canvas.mask[4 * 20 + 6], 0);
  assert.equal(canvas.mask[7 * 20 + 6], 1);
});

test('the halves of a polygon that was cut into tiles cover it without a gap', () => {
  const canvas = createCanvas(createPicture(20, 10, white));
  const fill = createFill(canvas);
  const ring = pathOf([
    [1, 1],
    [19, 3],
    [10, 9],
  ]);
  fill(ring, whole, { ...all, right: 7.3 });
  fill(ring, whole, { ...all, left: 7.3, bottom: 4.6 });
  fill(ring, whole, { ...all, left: 7.3, top: 4.6 });
  const once = createCanvas(createPicture(20, 10, white));
  createFill(once)(ring, whole, all);
  for (const [pixel, value] of once.mask.entries()) isNear(canvas.mask[pixel]!, value);
});

test('a ring far beyond the picture neither fails nor fills it', () => {
  const canvas = createCanvas(createPicture(20, 10, white));
  const far = 2 ** 30;
  createFill(canvas)(
    pathOf([
      [far, far],
      [far + 5, far],
      [far, far + 5],
    ]),
    whole,
    all,
  );
  assert.equal(sumOf(canvas.mask), 0);
});

test('lines have their width, and cut edges of rings are not drawn', () => {
  const stroke = { ...whole, width: 2, clip: all, isRing: false, extent: 10 };
  for (const end of [
    [18, 5],
    [18, 9],
    [5, 9],
  ] as const) {
    const canvas = createCanvas(createPicture(20, 10, white));
    strokePath(canvas, pathOf([[2, 2], end]), stroke);
    const length = Math.hypot(end[0] - 2, end[1] - 2);
    isNear(sumOf(canvas.mask), 2 * length, length * 0.1 + 4);
  }
  const canvas = createCanvas(createPicture(20, 10, white));
  const tile = pathOf([
    [-1, -1],
    [11, -1],
    [11, 11],
    [-1, 11],
  ]);
  strokePath(canvas, tile, { ...stroke, isRing: true });
  assert.equal(sumOf(canvas.mask), 0);
});

test('a line far beyond the picture is drawn in finite time', () => {
  for (const far of [2 ** 53, 1e300, Infinity, NaN]) {
    const canvas = createCanvas(createPicture(20, 10, white));
    const stroke = { ...whole, top: -far, width: 2, clip: all, isRing: false, extent: 10 };
    strokePath(
      canvas,
      pathOf([
        [2, 2],
        [18, 3],
      ]),
      stroke,
    );
    assert.equal(sumOf(canvas.mask), 0);
  }
});

test('a disc has the area of a circle', () => {
  const canvas = createCanvas(createPicture(20, 10, white));
  drawDisc(canvas, 10, 5, 3);
  isNear(sumOf(canvas.mask), Math.PI * 9, 1);
});

const pixelOf = ({ rgba, width }: Picture, x: number, y: number) => [
  ...rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
];
const black = [0, 0, 0] as const;

test('a colour is laid over what the mask covers, and the mask is empty afterwards', () => {
  const canvas = createCanvas(createPicture(20, 10, white));
  fillBox(canvas, { left: -3, top: 2, right: 5, bottom: 4 });
  paintMask(canvas, black, 0.2);
  assert.deepEqual(pixelOf(canvas, 4, 3), [204, 204, 204, 255]);
  for (const [x, y] of [
    [5, 3],
    [4, 1],
    [4, 4],
    [19, 2],
  ] as const)
    assert.deepEqual(pixelOf(canvas, x, y), [255, 255, 255, 255]);
  paintMask(canvas, black, 1);
  assert.deepEqual(pixelOf(canvas, 4, 3), [204, 204, 204, 255]);
  fillBox(canvas, { left: 25, top: 2, right: 30, bottom: 4 });
  fillBox(canvas, { left: -9, top: 2, right: -4, bottom: 4 });
  assert.equal(sumOf(canvas.mask), 0);
});

test('every way to draw is painted over all its rows', () => {
  const stroke = { ...whole, width: 2, clip: all, isRing: false, extent: 10 };
  for (const draw of [
    (canvas: ReturnType<typeof createCanvas>) => drawDisc(canvas, 10, 5, 4),
    (canvas: ReturnType<typeof createCanvas>) =>
      strokePath(
        canvas,
        pathOf([
          [2, 1],
          [6, 9],
          [18, 2],
        ]),
        stroke,
      ),
    (canvas: ReturnType<typeof createCanvas>) =>
      createFill(canvas)(
        pathOf([
          [1, 0],
          [19, 3],
          [10, 10],
        ]),
        whole,
        all,
      ),
  ]) {
    const canvas = createCanvas(createPicture(20, 10, white));
    draw(canvas);
    const covered = [...canvas.mask].map((value) => value > 0.01);
    paintMask(canvas, black, 1);
    assert.ok(covered.includes(true));
    for (const [pixel, isCovered] of covered.entries())
      assert.equal(canvas.rgba[pixel * 4]! < 255, isCovered, `pixel ${pixel}`);
    assert.equal(sumOf(canvas.mask), 0);
  }
});

test('a picture is copied where it overlaps another, wherever its corner is', () => {
  for (const [left, top] of [
    [-2, -1],
    [3, 2],
    [17, 8],
    [-9, 0],
    [20, 0],
    [0, 10],
  ] as const) {
    const target = createPicture(20, 10, white);
    copyPicture(target, createPicture(5, 4, black), left, top);
    for (let y = 0; y < 10; y++)
      for (let x = 0; x < 20; x++) {
        const isInside = x >= left && x < left + 5 && y >= top && y < top + 4;
        assert.equal(pixelOf(target, x, y)[0], isInside ? 0 : 255);
      }
  }
});

test('a smaller picture has the means of the pixels, and transparent ones do not darken it', () => {
  const picture = createPicture(6, 4, white);
  copyPicture(picture, createPicture(3, 4, black), 0, 0);
  assert.deepEqual(pixelOf(shrinkPicture(picture, 2, 1), 0, 0), [0, 0, 0, 255]);
  assert.deepEqual(pixelOf(shrinkPicture(picture, 1, 1), 0, 0), [128, 128, 128, 255]);
  assert.deepEqual(pixelOf(shrinkPicture(picture, 4, 4), 2, 0), [255, 255, 255, 255]);
  isNear(pixelOf(shrinkPicture(picture, 5, 4), 2, 0)[0]!, 127.5, 0.5);
  copyPicture(picture, createPicture(3, 4), 0, 0);
  assert.deepEqual(pixelOf(shrinkPicture(picture, 1, 1), 0, 0), [255, 255, 255, 128]);
  const { width, height } = fitPicture(picture, 3);
  assert.deepEqual([width, height], [3, 2]);
  assert.equal(fitPicture(picture, 6), picture);
});

test('an enlarged picture blends neighbouring pixels and repeats those at its edges', () => {
  const picture = createPicture(2, 1, white);
  copyPicture(picture, createPicture(1, 1, black), 0, 0);
  const large = enlargePicture(picture, { left: 0, top: 0, step: 0.25 }, 8, 3);
  const row = Array.from({ length: 8 }, (_, x) => pixelOf(large, x, 1)[0]);
  assert.deepEqual(row, [0, 0, 32, 96, 159, 223, 255, 255]);
});

const at = (...positions: (readonly [number, number, number])[]) => ({
  points: Float64Array.from(positions.flat()),
  start: 0,
  ringEnds: [positions.length],
});

test('a nearer surface hides one behind it, in either drawing order', () => {
  const far = at([0, 0, 1], [20, 0, 1], [20, 10, 1], [0, 10, 1]);
  const slope = at([4, 0, 0], [12, 0, 2], [12, 10, 2], [4, 10, 0]);
  for (const isFarFirst of [true, false]) {
    const canvas = createDepthCanvas({ width: 20, height: 10 });
    const drawFar = () => fillSurface(canvas, far, white);
    if (isFarFirst) drawFar();
    assert.equal(fillSurface(canvas, slope, black), true);
    if (!isFarFirst) drawFar();
    assert.deepEqual(
      [6, 7, 8, 11, 12].map((x) => pixelOf(canvas, x, 5)[0]),
      [255, 255, 0, 0, 255],
    );
    drawSpot(canvas, { column: 8, row: 5, reach: 1, nearness: 1.2 }, [9, 9, 9]);
    assert.deepEqual(
      [7, 8, 9].map((x) => pixelOf(canvas, x, 5)[0]),
      [9, 9, 0],
    );
  }
});

test('triangles that share an edge leave no gap', () => {
  const canvas = createDepthCanvas({ width: 40, height: 40 });
  const corners = [0.5, 7, 13.25, 20.5, 31, 39.5];
  for (const [i, x] of corners.slice(0, -1).entries())
    for (const [j, y] of corners.slice(0, -1).entries()) {
      const [right, bottom] = [corners[i + 1]!, corners[j + 1]!];
      fillSurface(canvas, at([x, y, 0], [right, y, 0], [x, bottom, 0]), white);
      fillSurface(canvas, at([right, bottom, 0], [x, bottom, 0], [right, y, 0]), white);
    }
  for (let y = 0; y < 39; y++)
    for (let x = 0; x < 39; x++) assert.equal(pixelOf(canvas, x, y)[3], 255, `${x}, ${y}`);
});

test('drawing ends when its budget is used up', () => {
  const canvas = createDepthCanvas({ width: 20, height: 10 }, 50);
  const surface = at([0, 0, 1], [20, 0, 1], [20, 10, 1], [0, 10, 1]);
  assert.equal(fillSurface(canvas, surface, white), true);
  assert.equal(pixelOf(canvas, 5, 9)[3], 0);
  assert.equal(fillSurface(canvas, at([0, 0, 2], [20, 0, 2], [0, 10, 2]), white), false);
});

test('colours are read, written, darkened and picked from a ramp', () => {
  assert.deepEqual(parseColour('#4c86b8'), [76, 134, 184]);
  assert.equal(formatColour(parseColour('#0c86b8')), '#0c86b8');
  assert.deepEqual(darken([100, 50, 10]), [70, 35, 7]);
  const ramp = [black, [100, 100, 100], white] as const;
  assert.deepEqual(rampColour(ramp, 0.25), [50, 50, 50]);
  assert.deepEqual([rampColour(ramp, -1), rampColour(ramp, 2)], [black, white]);
});

test('a range without outliers leaves out the same share at both ends', () => {
  const values = Array.from({ length: 100 }, (_, i) => (i * 37) % 100);
  assert.deepEqual(trimmedRange(values, 0.02), [2, 97]);
  assert.deepEqual(trimmedRange(values, 0), [0, 99]);
  assert.deepEqual(trimmedRange([], 0.02), [0, 0]);
});
