// Runs in the browser, as a part of start.ts: what fills the search box of the map viewer.

/** A line of the list of results. */
interface ResultItem {
  readonly title: string;
  readonly icon: string;
  clicked(): Promise<void>;
}
interface SearchSource {
  readonly name: string;
  search(text: string): Promise<ResultItem[]>;
  suggest(text: string): Promise<string[]>;
  abort(): void;
  destroy(): void;
}
/** The part of engines 5.0 to 6.3 that is used. */
export interface SearchBox {
  add(source: SearchSource, owner: string): void;
  remove(source: SearchSource): void;
}

const maxResults = 10;
const maxSuggestions = 6;

/** Lets visitors search. @param find returns up to `max` results, the best first @returns ends it */
export function addSearch(
  box: SearchBox,
  name: string,
  find: (text: string, max: number) => Promise<ResultItem[]>,
): () => void {
  const search = (text: string) => find(text, maxResults);
  const suggest = async (text: string) => [
    ...new Set((await find(text, maxSuggestions)).map(({ title }) => title)),
  ];
  const source = { name, search, suggest, abort() {}, destroy() {} };
  box.add(source, 'platen');
  return () => box.remove(source);
}
