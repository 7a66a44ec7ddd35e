import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelShapes, placeIn } from './shape-labels.ts';

const area = (size: number, inner: readonly number[]) => ({
  getType: () => 'Polygon',
  getArea: () => size,
  getInteriorPoint: () => ({ getCoordinates: () => inner }),
});
const line = (length: number, middle: readonly number[]) => ({
  getType: () => 'LineString',
  getLength: () => length,
  getCoordinateAt: (share: number) => (share === 0.5 ? middle : []),
});
const several = { getType: () => 'several' };

test('labels are in the largest area or on the longest line, without heights and widths', () => {
  assert.deepEqual(placeIn(area(1, [4, 5, 77])), [4, 5]);
  const areas = [area(2, [0, 0, 1]), area(9, [1, 1, 1]), area(3, [2, 2, 1])];
  assert.deepEqual(placeIn({ ...several, getPolygons: () => areas }), [1, 1]);
  assert.deepEqual(placeIn(line(1, [6, 7, 88])), [6, 7]);
  const lines = [line(2, [0, 0]), line(9, [1, 1])];
  assert.deepEqual(placeIn({ ...several, getLineStrings: () => lines }), [1, 1]);
  assert.equal(placeIn({ ...several, getPolygons: () => [] }), undefined);
  assert.equal(placeIn(several), undefined);
});

const layerName = Symbol('layer');

interface Shape {
  readonly style?: object;
  readonly className?: string;
  readonly text?: string;
  readonly inner?: readonly number[];
}

/** How many styles an area has, and those of its label. */
function drawnOf({
  style = { label: {} },
  className = 'GeoJSONLayer',
  text = 'A',
  inner = [4, 5, 6],
}: Shape) {
  const label: Record<string, unknown> = {};
  const set = (name: string) => (value: unknown) => void (label[name] = value);
  const own = {
    setFill: set('fill'),
    setStroke: set('stroke'),
    setText: set('text'),
    setGeometry: set('at'),
  };
  const given = Object.fromEntries(
    ['setTextAlign', 'setTextBaseline', 'setOffsetX', 'setOffsetY'].map((name) => [name, set(name)]),
  );
  const prototype = {
    _stylePoint: () => ({ getText: () => (text === '' ? null : given) }),
    _stylePolygon: (_feature: object): unknown => [{}, { clone: () => own }],
    _styleLineString: () => ({}),
  };
  const point = (at: unknown) => ({
    at,
    clone: () => {
      const made = point(at);
      return Object.assign(made, { setCoordinates: (next: unknown) => void (made.at = next) });
    },
  });
  const core = {
    vcsLayerName: layerName,
    DeclarativeStyleItem: { prototype },
    parseGeoJSON: () => ({ features: [{ getGeometry: () => point([0, 0]) }] }),
  };
  const layers = { getByKey: (name: string) => (name === 'data' ? { className } : undefined) };
  labelShapes(core as never, { layers, maps: {} } as never);
  const feature = { [layerName]: 'data', getGeometry: () => area(1, inner) };
  const drawn = prototype._stylePolygon.call({ properties: { mapStyle: { style } } } as never, feature);
  return { count: (drawn as unknown[]).length, label };
}

test('an area has a label in its middle besides what is drawn', () => {
  const { count, label } = drawnOf({});
  assert.equal(count, 3);
  assert.deepEqual(
    [label['fill'], label['stroke'], (label['at'] as { at: unknown }).at],
    [null, null, [4, 5]],
  );
  const { setTextAlign, setTextBaseline, setOffsetX, setOffsetY } = label;
  assert.deepEqual([setTextAlign, setTextBaseline, setOffsetX, setOffsetY], ['center', 'middle', 0, 0]);
});

test('parts of areas in tiles, areas without a text or an inside, and other styles have none', () => {
  for (const shape of [
    { className: 'VectorTileLayer' },
    { text: '' },
    { inner: [Number.NaN, 0] },
    { style: {} },
    { style: { label: {}, hasPlacedLabels: true } },
  ])
    assert.deepEqual(drawnOf(shape).count, 2, JSON.stringify(shape));
});
