/** What surfaces of city objects are, as far as it decides how they are drawn. */
export const surfaceRoles = [
  'none',
  'roof',
  'wall',
  'ground',
  'closure',
  'interior',
  'door',
  'window',
  'traffic',
  'verge',
  'water',
] as const;
export type SurfaceRole = (typeof surfaceRoles)[number];

const names: Readonly<Record<string, SurfaceRole>> = {
  RoofSurface: 'roof',
  OuterFloorSurface: 'roof',
  WallSurface: 'wall',
  OuterCeilingSurface: 'wall',
  GroundSurface: 'ground',
  WaterGroundSurface: 'ground',
  ClosureSurface: 'closure',
  WaterClosureSurface: 'closure',
  FloorSurface: 'interior',
  CeilingSurface: 'interior',
  InteriorWallSurface: 'interior',
  Door: 'door',
  DoorSurface: 'door',
  Window: 'window',
  WindowSurface: 'window',
  TrafficArea: 'traffic',
  TrafficSpace: 'traffic',
  AuxiliaryTrafficArea: 'verge',
  AuxiliaryTrafficSpace: 'verge',
  WaterSurface: 'water',
};

/** The number of the role of a class of CityGML or CityJSON; 0 if it has none. */
export function roleNumberOf(className: string): number {
  const role = Object.hasOwn(names, className) ? names[className]! : 'none';
  return surfaceRoles.indexOf(role);
}
