const interiors = new Set([
  'Room',
  'IntBuildingInstallation',
  'BuildingFurniture',
  'BuildingRoom',
  'Storey',
  'BuildingStorey',
  'BuildingUnit',
  'HollowSpace',
  'IntTunnelInstallation',
  'TunnelFurniture',
  'TunnelHollowSpace',
  'BridgeRoom',
  'IntBridgeInstallation',
  'BridgeFurniture',
]);

/** Whether objects of the class are inside of others. */
export const isInterior = (className: string): boolean => interiors.has(className);

/** Whether objects of the class mostly have no surfaces, as their members stand elsewhere in the file. */
export const isGroup = (className: string): boolean => className === 'CityObjectGroup';

/** Whether objects of the class make up another one, so that a coarser model of the whole would cover them. */
export const isConstituent = (className: string): boolean => className.endsWith('Part');
