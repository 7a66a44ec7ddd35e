/** What points may have besides their place; `spec.ts` describes them. */
export const attributeNames = [
  'intensity',
  'classification',
  'returnNumber',
  'numberOfReturns',
  'gpsTime',
  'pointSource',
  'userData',
  'scanAngle',
  'infrared',
  'height',
] as const;
export type AttributeName = (typeof attributeNames)[number];
