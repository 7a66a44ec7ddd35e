import type { Datasource } from '@platen/contract/datasources';
import { plainAttribution } from '@platen/contract/plain-attribution';

/** Whom layers of a datasource name as its source, as text. */
export const sourceOf = ({
  properties,
  facts,
}: Pick<Datasource, 'properties' | 'facts'>): string | undefined =>
  plainAttribution(properties['attribution'] ?? facts?.attribution);
