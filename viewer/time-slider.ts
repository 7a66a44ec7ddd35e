// Runs in the browser, as a part of start.ts: a slider over time, for layers whose features have dates.
import type { LayerTime } from '@platen/contract/layer-time';
import { openTimePanel } from './time-panel.ts';
import { isThere, momentOf, periodsOf, type Period } from './time-axis.ts';

/** A feature of a vector layer or of 3D tiles. */
interface Feature {
  get?(name: string): unknown;
  getProperty?(name: string): unknown;
}
interface Expression {
  evaluate(feature: Feature, result?: unknown): unknown;
}
type StyleFunction = (feature: Feature, resolution: number) => unknown;
interface Style {
  style: StyleFunction | object;
  /** Of declarative styles: what they are made from. */
  readonly cesiumStyle?: { show: Expression };
}
interface Layer {
  readonly name: string;
  readonly style?: Style;
  setStyle?(style: Style): void;
  readonly styleChanged?: { addEventListener(listener: () => void): unknown };
}
/** The part of engines 5.0 to 6.3 that is used. */
export interface TimeApp {
  readonly locale: string;
  readonly layers: { getByKey(name: string): Layer | undefined };
}

interface Timed {
  readonly layer: Layer;
  readonly time: LayerTime;
}

/** Ends the slider, so that all features are shown. @returns the beginning of the time that was chosen */
export type EndSlider = () => number | undefined;

/**
 * Adds the slider if a layer has a time, which all such layers follow.
 * @param at a moment in the time that is shown at first
 */
export function addTimeSlider(
  app: TimeApp,
  modules: readonly Readonly<Record<string, unknown>>[],
  at?: number,
): EndSlider {
  const timed = timedLayers(app, modules);
  const periods = allPeriods(timed);
  if (periods.length < 2) return () => at;
  /** undefined: all features, of any time. */
  let period: Period | undefined;
  const filtered = new WeakSet<Style>();

  const follow = ({ layer, time }: Timed): void => {
    const { style } = layer;
    if (style === undefined || filtered.has(style)) return;
    filtered.add(style);
    filterStyle(style, (feature) => {
      const valueOf = (name: string) => feature.getProperty?.(name) ?? feature.get?.(name);
      return period === undefined || isThere(time, valueOf, period);
    });
  };
  /** Setting a style draws the layer again, tiles and features alike. */
  const redraw = ({ layer }: Timed): void => {
    if (layer.style !== undefined) layer.setStyle?.(layer.style);
  };
  for (const one of timed) {
    follow(one);
    // another of its styles has no filter yet
    one.layer.styleChanged?.addEventListener(() => {
      const { style } = one.layer;
      if (style === undefined || filtered.has(style)) return;
      follow(one);
      redraw(one);
    });
  }
  const showsAll = timed.every(({ time }) => time.until === undefined && time.shows !== 'during');
  const known = at === undefined ? -1 : periods.findIndex(({ start, end }) => at >= start && at < end);
  const show = (next: Period | undefined): void => {
    period = next;
    for (const one of timed) redraw(one);
  };
  const start = known >= 0 ? known : showsAll ? periods.length - 1 : 0;
  const close = openTimePanel(app, periods, { start, show });
  return () => {
    const chosen = close();
    show(undefined);
    return chosen?.start;
  };
}

function timedLayers({ layers }: TimeApp, modules: readonly Readonly<Record<string, unknown>>[]): Timed[] {
  const configs = modules.flatMap(({ layers: list }) => (Array.isArray(list) ? (list as Config[]) : []));
  return configs.flatMap(({ name, properties }) => {
    const time = properties?.time;
    const layer = layers.getByKey(name ?? '');
    return time?.attribute !== undefined && layer?.style !== undefined ? [{ layer, time }] : [];
  });
}

interface Config {
  readonly name?: string;
  readonly properties?: { readonly time?: LayerTime };
}

/** From the earliest beginning to the latest end, in the smallest step. */
function allPeriods(timed: readonly Timed[]): Period[] {
  const moments = (key: 'from' | 'to') => timed.flatMap(({ time }) => momentOf(time[key]) ?? []);
  const [from, to] = [Math.min(...moments('from')), Math.max(...moments('to'))];
  const smallest = (['hour', 'day', 'month', 'year'] as const).find((step) =>
    timed.some(({ time }) => time.step === step),
  );
  return Number.isFinite(from) && Number.isFinite(to) ? periodsOf(from, to, smallest ?? 'year') : [];
}

/** What the filter refuses is not drawn, whatever the style says. Shared styles are filtered for all their layers. */
function filterStyle(style: Style, isShown: (feature: Feature) => boolean): void {
  const { cesiumStyle } = style;
  if (cesiumStyle !== undefined && 'styleOptions' in style) {
    const { show } = cesiumStyle;
    cesiumStyle.show = { evaluate: (feature, result) => isShown(feature) && show.evaluate(feature, result) };
    return;
  }
  const inner = style.style;
  const draw: StyleFunction = typeof inner === 'function' ? (inner as StyleFunction) : () => inner;
  style.style = (feature: Feature, resolution: number) =>
    isShown(feature) ? draw(feature, resolution) : undefined;
}
