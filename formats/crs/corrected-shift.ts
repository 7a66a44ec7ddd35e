import { isWithin, areaOf, middleOf } from './area.ts';
import type { Area } from './crs.ts';
import type { EpsgEntry } from './register.ts';

/**
 * Datum shifts that both packages lack or have wrong, by the code of the geographic CRS: the transformation of EPSG
 * (v11) as a position vector in metres, arc seconds and millionths. Found by comparing every code with PROJ 9.5.1;
 * deviations below 30 m were left as they are.
 */
const shifts: ReadonlyMap<string, string> = new Map([
  ['4156', '570.8,85.7,462.8,4.998,1.587,5.261,3.56'], // S-JTSK to WGS 84 (1), to 1 m in Czechia; theirs is (3), to 6 m
  ['4161', '-233.43,6.65,173.64'], // Pampa del Castillo to WGS 84 (2)
  ['4191', '-44.183,-0.58,-38.489,2.3867,2.7072,-3.5196,-8.2703'], // Albanian 1987 to WGS 84 (1)
  ['4472', '-381.788,-57.501,-256.673'], // Cadastre 1997 to WGS 84 (1)
  ['4688', '347.175,1077.618,2623.677,33.9058,-70.6776,9.4013,186.0647'], // Fatu Iva 72 to WGS 84 (2)
  ['4741', '-242.83,-263.21,-36.71,0,0,-0.156,1.2'], // FD54 to ED50 (1), then ED50 to WGS 84 (18)
  ['4745', '612.4,77,440.2,-0.054,0.057,-2.797,2.55'], // RD/83 to ETRS89 (1)
  ['4746', '599.4,72.4,419.2,-0.062,-0.022,-2.723,6.46'], // PD/83 to ETRS89 (1)
  ['4751', '-11,851,5'], // Kertau 1968 to WGS 84 (1), as Kertau (RSO) is the same in position
  ['4805', '577.326,90.129,463.919,5.137,1.474,5.297,2.4232'], // MGI to WGS 84 (3), from Ferro
  ['4900', '-208.4058,-109.8777,-2.5764'], // LGD2006 to WGS 84 (1)
  ['5560', '24,-121,-76'], // UCS-2000 to WGS 84 (2), as for
  ['5561', '24,-121,-76'],
  ['5681', '584.9636,107.7175,413.8067,1.1155,0.2824,-3.1384,7.9922'], // DB_REF to ETRS89 (1), as for
  ['5828', '584.9636,107.7175,413.8067,1.1155,0.2824,-3.1384,7.9922'],
  ['5830', '584.9636,107.7175,413.8067,1.1155,0.2824,-3.1384,7.9922'],
  ['6311', '8.846,-4.394,-1.122,-0.00237,-0.146528,0.130428,0.783926'], // CGRS93 to WGS 84 (1)
  ['6989', '23.772,17.49,17.859,-0.3132,-1.85274,1.67299,-5.4262'], // IG05/12: WGS 84 to IG05/12 turned round, as for
  ['6990', '23.772,17.49,17.859,-0.3132,-1.85274,1.67299,-5.4262'],
  ['8351', '485.021,169.465,483.839,7.786342,4.397554,4.102655,0'], // S-JTSK [JTSK03] to WGS 84 (1)
  ['8694', '-93.799,-132.737,-219.073,-1.844,0.648,-6.37,-0.169'], // Camacupa 2015 to WGS 84 (11)
  ['9333', '0,0,0,-0.008393,0.000749,-0.010276,0'], // KSA-GRF17 to WGS 84 (1), whose rotations are in milliseconds
  ['37241', '-201.545,109.048,32.218,-0.286,3.471,2.443,0.309'], // ESRI: Graciosa_1948_To_WGS_1984_5_7par
  ['37245', '-487.978,-226.275,102.787,-0.743,1.677,2.087,1.485'], // ESRI: Observatorio_Meteorologico_1939_…_1_7par
  ['37249', '-269.089,186.247,155.667,2.005,3.606,-0.366,0.097'], // ESRI: Sao_Braz_To_WGS_1984_1_7par
  ['104130', '-86,-98,-119'], // ESRI: Jordan_To_WGS_1984
  ['104131', '426.62,142.62,460.09,4.98,4.49,-12.42,-17.1'], // ESRI: D48_To_WGS_1984
]);

/** Geographic CRSs with heights that have no shift of their own, and the one without heights on the same datum. */
const withoutHeights: ReadonlyMap<string, string> = new Map([
  ['4985', '4322'], // WGS 72
  ['4987', '4324'], // WGS 72BE
  ['4993', '4678'], // Lao 1997
  ['4995', '4683'], // PRS92
  ['9267', '4312'], // MGI
  ['9893', '4181'], // LUREF
]);

/** NAD27 and its two Canadian readjustments. */
const nad27 = new Set(['4267', '4608', '4609']);

/**
 * NAD27 by region, the smallest first: mean shifts of DMA TR 8350.2 (1991), appendix B.7, good to some 10 m, where
 * both packages name grids only.
 */
const nad27Regions: readonly (readonly [Area, string])[] = [
  [[-85, 19.5, -74, 24], '-9,152,178'], // Cuba
  [[-80, 10, -59, 24], '-3,142,183'], // Caribbean
  [[-93, 6, -77, 18.6], '0,125,194'], // Central America
  [[-118.5, 14, -86, 28.5], '-12,130,190'], // Mexico
  [[-75, 59, -10, 84], '11,114,195'], // Greenland
  [[172, 50, 180, 56], '2,204,105'], // Aleutians west of 180°
  [[-180, 50, -164, 54], '-2,152,149'], // and east of it
  [[172, 50, -141, 72], '-5,135,172'], // Alaska
  [[-141, 48.9, -52, 84], '-10,158,187'], // Canada
];
const nad27Elsewhere = '-8,160,176'; // the contiguous United States

/** `towgs84=…`, where the packages' own is not to be used. */
export function correctedShift(geographicCode: string, entry: EpsgEntry | undefined): string | undefined {
  const shift = nad27.has(geographicCode) ? nad27Shift(entry) : shifts.get(geographicCode);
  return shift === undefined ? undefined : `towgs84=${shift}`;
}

function nad27Shift(entry: EpsgEntry | undefined): string {
  if (entry?.bbox == null) return nad27Elsewhere;
  const area = areaOf(entry.bbox);
  // The geographic CRS is used everywhere: it gets what most of its data needs.
  const isContinental = area[3] - area[1] > 50;
  const region = nad27Regions.find(([box]) => isWithin(box, middleOf(area)));
  return isContinental ? nad27Elsewhere : (region?.[1] ?? nad27Elsewhere);
}

/** The CRS whose shift counts for this one, too. */
export function shiftBearer(geographicCode: string): string {
  return withoutHeights.get(geographicCode) ?? geographicCode;
}
