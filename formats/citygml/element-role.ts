import { isExtension, moduleOf, type CityGmlModule } from './modules.ts';

/** The role of an element for readers of city models. */
export type ElementRole =
  | 'cityObject'
  | 'boundarySurface'
  | 'member'
  | 'lod'
  | 'genericAttribute'
  | 'genericValue'
  | 'imageUri'
  | 'theme'
  | 'material'
  | 'envelope'
  | 'corner'
  | 'polygon'
  | 'ring'
  | 'positions'
  | 'gml'
  | 'other';

const roles = new Map<string, ElementRole>();
const add = (role: ElementRole, elements: string): void => {
  for (const element of elements.split(' ')) roles.set(element, role);
};
// OGC 12-019 (CityGML 2.0), annex A, and OGC 20-010 (3.0), clause 7; parts of city objects are some themselves
add(
  'cityObject',
  'Building BuildingPart BuildingInstallation IntBuildingInstallation BuildingFurniture Room',
);
add('cityObject', 'BuildingConstructiveElement BuildingRoom BuildingUnit Storey OtherConstruction');
add('cityObject', 'Bridge BridgePart BridgeInstallation IntBridgeInstallation BridgeConstructionElement');
add('cityObject', 'BridgeConstructiveElement BridgeRoom BridgeFurniture');
add('cityObject', 'Tunnel TunnelPart TunnelInstallation IntTunnelInstallation HollowSpace TunnelFurniture');
add('cityObject', 'TunnelConstructiveElement CityFurniture CityObjectGroup LandUse PointCloud Dynamizer');
add('cityObject', 'Road Railway Track Square Waterway TransportationComplex Section Intersection');
add('cityObject', 'ReliefFeature TINRelief MassPointRelief BreaklineRelief RasterRelief');
add('cityObject', 'PlantCover SolitaryVegetationObject WaterBody GenericCityObject GenericOccupiedSpace');
add('cityObject', 'GenericLogicalSpace GenericUnoccupiedSpace GenericThematicSurface');
add(
  'boundarySurface',
  'RoofSurface WallSurface GroundSurface ClosureSurface FloorSurface InteriorWallSurface',
);
add(
  'boundarySurface',
  'CeilingSurface OuterCeilingSurface OuterFloorSurface WaterSurface WaterGroundSurface',
);
add('boundarySurface', 'WaterClosureSurface TrafficArea AuxiliaryTrafficArea Door Window DoorSurface');
add('boundarySurface', 'WindowSurface TrafficSpace AuxiliaryTrafficSpace ClearanceSpace Hole HoleSurface');
add('member', 'cityObjectMember featureMember featureMembers');
add('genericAttribute', 'stringAttribute intAttribute doubleAttribute dateAttribute uriAttribute');
add('genericAttribute', 'measureAttribute StringAttribute IntAttribute DoubleAttribute DateAttribute');
add('genericAttribute', 'UriAttribute MeasureAttribute CodeAttribute');
add('imageUri', 'imageURI');
add('theme', 'theme');
add('material', 'X3DMaterial Material');
const gmlRoles = new Map<string, ElementRole>([
  ['featureMember', 'member'],
  ['featureMembers', 'member'],
  ['Envelope', 'envelope'],
  ['lowerCorner', 'corner'],
  ['upperCorner', 'corner'],
  ['Polygon', 'polygon'],
  ['PolygonPatch', 'polygon'],
  ['Triangle', 'polygon'],
  ['Rectangle', 'polygon'],
  ['LinearRing', 'ring'],
  ['posList', 'positions'],
  ['pos', 'positions'],
  ['coordinates', 'positions'],
]);

export interface KnownElement {
  readonly role: ElementRole;
  readonly module: CityGmlModule | undefined;
  readonly isExtension: boolean;
  /** `lod2Solid`: 2 */
  readonly lod: string | undefined;
}

/** @param namespace of the element; '' without one */
export function elementOf(local: string, namespace: string): KnownElement {
  const module = moduleOf(namespace);
  const isForeign = module === undefined && namespace !== '' && isExtension(namespace);
  const lod = /^lod([0-4])/.exec(local)?.[1];
  return { role: roleOf(local, module, isForeign), module, isExtension: isForeign, lod };
}

function roleOf(local: string, module: CityGmlModule | undefined, isForeign: boolean): ElementRole {
  if (/^lod[0-4]/.test(local)) return 'lod';
  if (module === undefined) return isForeign ? 'other' : (gmlRoles.get(local) ?? 'gml');
  const isValue = module.name === 'Generics' || module.version === '0.4';
  if (isValue && (local === 'value' || local === 'name')) return 'genericValue';
  return roles.get(local) ?? 'other';
}
