// Runs in the browser, as a part of start.ts: terrain whose layer has the property `relief` is shaded as on relief maps, and
// has the colours of an atlas where nothing but a world map lies on it. Light and shade by the sun leave hills pale: it stands
// high, slopes are gentle from afar, and it is behind whoever looks south, which turns hills into hollows.

import { eachGlobe } from './each-globe.ts';

interface Globe {
  material: unknown;
}
interface Scene {
  readonly globe: Globe;
  readonly terrainProvider?: { readonly hasVertexNormals?: boolean };
  readonly preUpdate: { addEventListener(listener: () => void): unknown };
}
interface GlobeMap {
  readonly className: string;
  getScene?(): Scene | undefined;
}
interface ReliefLayer {
  readonly name: string;
  readonly className: string;
  readonly active: boolean;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly extent?: {
    readonly projection: { readonly epsg: string };
    readonly extent: readonly number[];
  } | null;
}
export interface ReliefApp {
  readonly maps: {
    readonly mapActivated: { addEventListener(listener: (map: GlobeMap) => void): unknown };
  };
  readonly layers: Iterable<ReliefLayer>;
}
/** The part of Cesium that is used. */
export interface ReliefCesium {
  readonly Material: new (options: { readonly fabric: object }) => object;
}

/**
 * Light comes from the upper left of the view. What counts is the slope towards it, steeper from afar, where tiles are
 * smooth; it is compressed, so that neither plains stay empty nor mountains become black. The shade lies on the tint.
 */
const sourceOf = (tint: string): string => `
czm_material czm_getMaterial(czm_materialInput materialInput)
{
  czm_material material = czm_getDefaultMaterial(materialInput);
  vec3 position = (czm_inverseView * vec4(-materialInput.positionToEyeEC, 1.0)).xyz;
  vec3 up = normalize((czm_view * vec4(normalize(position), 0.0)).xyz);
  vec3 normal = normalize(materialInput.normalEC);
  vec3 light = vec3(-0.7071, 0.7071, 0.0);
  light = normalize(light - up * dot(light, up));
  float slope = dot(normal, light) / max(dot(normal, up), 0.1);
  float steepening = clamp(3.0 * pow(length(materialInput.positionToEyeEC) / 2000.0, 0.35), 3.0, 15.0);
  float shade = slope * steepening;
  shade = shade / sqrt(1.0 + shade * shade);
  vec4 tint = vec4(0.0);${tint}
  vec4 shading = shade < 0.0 ? vec4(0.16, 0.17, 0.22, -0.55 * shade) : vec4(1.0, 1.0, 1.0, 0.45 * shade);
  float below = tint.a * (1.0 - shading.a);
  material.alpha = shading.a + below;
  material.diffuse = (shading.rgb * shading.a + tint.rgb * below) / max(material.alpha, 0.001);
  return material;
}`;

/** Red, green and blue of an atlas, from the lowest height to the highest, and how much of the map they hide. Most ground is low: it has most of the colours. */
const atlas = [
  [0.33, 0.51, 0.4],
  [0.62, 0.71, 0.48],
  [0.87, 0.82, 0.61],
  [0.7, 0.54, 0.41],
  [0.96, 0.95, 0.94],
] as const;
const tintShare = 0.8;

/** The lowest ground stays as the map is: there are seas, lakes and what lies around the data. */
function tintOf({ properties, extent }: ReliefLayer): string {
  const [low, high] = numbersIn(properties?.['heightRange']);
  if (low === undefined || high === undefined || low >= high) return '';
  const steps = atlas.slice(1).map(
    (colour, i) => `
  tint.rgb = mix(tint.rgb, vec3(${colour.join()}), clamp(stop - ${float(i)}, 0.0, 1.0));`,
  );
  return `
  float share = (materialInput.height - ${float(low)}) / ${float(high - low)};
  float stop = pow(clamp(share, 0.0, 1.0), 0.7) * ${float(atlas.length - 1)};
  tint.rgb = vec3(${atlas[0].join()});${steps.join('')}
  float isInside = ${insideOf(extent)};
  tint.a = ${tintShare} * isInside * smoothstep(0.0, 0.03, share);`;
}

/** GLSL: 1 within an extent, else 0, by planes of meridians and cones of parallels: the atan of GPUs is off by kilometres. */
function insideOf(extent: ReliefLayer['extent']): string {
  if (extent?.projection.epsg !== 'EPSG:4326') return '1.0';
  const [west, south, east, north] = extent.extent.map((degrees) => (degrees * Math.PI) / 180);
  const cone = (latitude: number) => `${float(Math.tan(latitude) * 0.99330562)} * length(position.xy)`;
  const sides = [
    `position.z - ${cone(south!)}`,
    `${cone(north!)} - position.z`,
    ...(east! - west! < Math.PI
      ? [
          `position.y * ${float(Math.cos(west!))} - position.x * ${float(Math.sin(west!))}`,
          `position.x * ${float(Math.sin(east!))} - position.y * ${float(Math.cos(east!))}`,
        ]
      : []),
  ];
  return sides.map((side) => `step(0.0, ${side})`).join(' * ');
}

/** A number as GLSL reads it. */
const float = (value: number): string => value.toFixed(9);

function numbersIn(list: unknown): number[] {
  return Array.isArray(list) ? list.filter((item): item is number => Number.isFinite(item)) : [];
}

/** Shades the globe as long as a layer of terrain asks for it. */
export function shadeRelief({ maps, layers }: ReliefApp, { Material }: ReliefCesium): void {
  eachGlobe(maps, (scene) => {
    const { globe } = scene;
    let own: unknown;
    let shown: string | undefined;
    scene.preUpdate.addEventListener(() => {
      const source = scene.terrainProvider?.hasVertexNormals === true ? sourceFor(layers) : undefined;
      if (source === shown) return;
      if (source === undefined && globe.material === own) globe.material = undefined;
      own = source === undefined ? undefined : new Material({ fabric: { source } });
      shown = source;
      if (own !== undefined) globe.material = own;
    });
  });
}

/** Of the material; undefined where no terrain asks for a relief. */
function sourceFor(layers: Iterable<ReliefLayer>): string | undefined {
  let terrain: ReliefLayer | undefined;
  let isPlain = true;
  for (const layer of layers) {
    if (!layer.active) continue;
    if (layer.className === 'TerrainLayer' && layer.properties?.['relief'] === true) terrain = layer;
    if (draped.has(layer.className) && !worldMap.test(layer.name)) isPlain = false;
  }
  return terrain && sourceOf(isPlain ? tintOf(terrain) : '');
}

/** Layers that lie on the globe as pictures: a tint would change their colours. */
const draped = new Set([
  'COGLayer',
  'MapboxStyleLayer',
  'OpenStreetMapLayer',
  'SingleImageLayer',
  'TMSLayer',
  'VectorTileLayer',
  'WMSLayer',
  'WMTSLayer',
]);
const worldMap = /^platen-(?:world|base-maps-world-(?:light|grey|dark|names))(?:-|$)/;
