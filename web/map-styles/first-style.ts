import type { Datasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import { viewBoxOf } from '../map/view-box.ts';
import { informativeStyle, isPlain } from './informative-style.ts';
import { legendWords } from './legend-words.ts';
import type { StyledData } from './use-styled-data.ts';

/**
 * The style of a new layer, in the language of the interface; undefined if its datasource has one, or the data say nothing.
 * @param layer as the service returns it for the datasource
 * @param colouredBy as in `informativeStyle`
 */
export const firstStyle = (
  datasource: Datasource,
  layer: FreeForm,
  data: StyledData,
  colouredBy?: string,
): FreeForm | undefined =>
  isPlain(datasource, layer)
    ? informativeStyle(data, { bbox: viewBoxOf(datasource), colouredBy }, legendWords(data.attributes))
    : undefined;
