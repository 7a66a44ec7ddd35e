import type { ServedDatasource } from './access.ts';

/** What is asked for of a datasource. */
export interface Wanted {
  readonly datasource: ServedDatasource;
  /** Behind the address of the datasource, without slashes around it. */
  readonly rest: string;
  /** The absolute address of the datasource. */
  readonly base: () => string;
}
