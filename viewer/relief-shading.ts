// Runs in the browser, as a part of start.ts: terrain whose layer has the property `relief` is shaded as on relief maps.
// Light and shade by the sun leave hills pale: it stands high, slopes are gentle from afar, and it is behind whoever looks
// south, which turns hills into hollows.

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
  readonly className: string;
  readonly active: boolean;
  readonly properties?: Readonly<Record<string, unknown>>;
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
 * smooth; it is compressed, so that neither plains stay empty nor mountains become black.
 */
const source = `
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
  material.diffuse = shade < 0.0 ? vec3(0.16, 0.17, 0.22) : vec3(1.0);
  material.alpha = shade < 0.0 ? -0.55 * shade : 0.45 * shade;
  return material;
}`;

/** Shades the globe as long as a layer of terrain asks for it. */
export function shadeRelief({ maps, layers }: ReliefApp, { Material }: ReliefCesium): void {
  eachGlobe(maps, (scene) => {
    const { globe } = scene;
    let own: unknown;
    scene.preUpdate.addEventListener(() => {
      const isWanted = scene.terrainProvider?.hasVertexNormals === true && hasRelief(layers);
      if (isWanted === (own !== undefined)) return;
      if (!isWanted && globe.material === own) globe.material = undefined;
      own = isWanted ? new Material({ fabric: { type: 'PlatenRelief', source } }) : undefined;
      if (isWanted) globe.material = own;
    });
  });
}

function hasRelief(layers: Iterable<ReliefLayer>): boolean {
  for (const { className, active, properties } of layers)
    if (active && className === 'TerrainLayer' && properties?.['relief'] === true) return true;
  return false;
}
