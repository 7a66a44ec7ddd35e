import 'maplibre-gl/dist/maplibre-gl.css';
import { Map as MapLibre, setWorkerUrl, type MapMouseEvent } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import {
  computed,
  onBeforeUnmount,
  onMounted,
  ref,
  shallowRef,
  toValue,
  watch,
  type MaybeRefOrGetter,
  type Ref,
} from 'vue';
import { language } from '../i18n/i18n.ts';
import { theme } from '../page/theme.ts';
import { baseStyle, mapTokens, type MapColours, type Overlay } from './base-style.ts';
import { toView, worldBounds } from './bounds.ts';
import type { PickedFeature, Tip } from './tip.ts';

setWorkerUrl(new URL(workerUrl, location.href).href);

/** The tokens in the current theme. */
export const mapColours = computed<MapColours>(() => {
  void theme.value; // tokens change with the theme
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(
    mapTokens.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
  ) as MapColours;
});

interface Options {
  readonly container: Readonly<Ref<HTMLElement | null>>;
  /** The canvas's label for screen readers. */
  readonly label: MaybeRefOrGetter<string>;
  readonly bounds: MaybeRefOrGetter<readonly number[] | undefined>;
  readonly overlay: MaybeRefOrGetter<Overlay>;
  /** Layers whose features react to the pointer. */
  readonly interactive: MaybeRefOrGetter<readonly string[]>;
  readonly padding: number | { top: number; bottom: number; left: number; right: number };
  readonly onPick: (feature: PickedFeature | undefined) => void;
}

const reach = 5;

/** A map in a container, restyled when theme, language or overlay changes. */
export function useMap(options: Options) {
  const { container, label, bounds, overlay, interactive, padding, onPick } = options;
  const map = shallowRef<MapLibre>();
  const isReady = ref(false);
  const isStyled = ref(false);
  const isGlobe = ref(false);
  const hasFailed = ref(false);
  const tip = shallowRef<Tip>();

  const style = computed(() =>
    baseStyle(
      {
        colours: mapColours.value,
        language: language.value,
        isGlobe: isGlobe.value,
        origin: location.origin,
      },
      toValue(overlay),
    ),
  );
  const fit = (isAnimated = true) =>
    map.value?.fitBounds(toView(toValue(bounds) ?? worldBounds), {
      padding,
      maxZoom: 18,
      animate: isAnimated,
      duration: 500,
    });

  function find({ point, target }: MapMouseEvent): Tip | undefined {
    const layers = toValue(interactive).filter((id) => target.getLayer(id));
    if (layers.length === 0) return undefined;
    const box: [[number, number], [number, number]] = [
      [point.x - reach, point.y - reach],
      [point.x + reach, point.y + reach],
    ];
    const [found] = target.queryRenderedFeatures(box, { layers: [...layers] });
    if (!found || typeof found.id !== 'number') return undefined;
    return { id: found.id, properties: found.properties, x: point.x, y: point.y };
  }

  function start(): void {
    const first = new MapLibre({
      container: container.value!,
      style: style.value,
      bounds: toView(toValue(bounds) ?? worldBounds),
      fitBoundsOptions: { padding, maxZoom: 18 },
      attributionControl: false,
      dragRotate: false,
      maxPitch: 0,
      fadeDuration: 0,
      locale: { 'Map.Title': toValue(label) },
    });
    first.touchZoomRotate.disableRotation();
    first.keyboard.disableRotation();
    first.on('mousemove', (event) => {
      tip.value = find(event);
      first.getCanvas().style.cursor = tip.value ? 'pointer' : '';
    });
    first.on('mouseout', () => (tip.value = undefined));
    first.on('movestart', () => (tip.value = undefined));
    first.on('click', (event) => onPick(find(event)));
    first.once('style.load', () => (isStyled.value = true));
    first.once('load', () => (isReady.value = true));
    map.value = first;
  }

  onMounted(async () => {
    await document.fonts.load('500 12px Geist').catch(() => {}); // labels then use another font
    if (!container.value) return;
    try {
      start();
    } catch {
      hasFailed.value = true; // no WebGL: the map's content is described in text
    }
  });
  onBeforeUnmount(() => map.value?.remove());
  // MapLibre refuses a style that changes while the first one is still loading
  watch([style, isStyled], ([newest, canChange]) => canChange && map.value?.setStyle(newest));
  watch(
    () => toValue(label),
    (text) => map.value?.getCanvas().setAttribute('aria-label', text),
  );
  watch(
    () => JSON.stringify(toValue(bounds)),
    () => fit(false),
  );

  function toggleGlobe(): void {
    isGlobe.value = !isGlobe.value;
    if (isGlobe.value) map.value?.easeTo({ zoom: Math.min(map.value.getZoom(), 2), duration: 600 });
    else fit();
  }

  return { map, isReady, isGlobe, hasFailed, tip, fit, toggleGlobe };
}
