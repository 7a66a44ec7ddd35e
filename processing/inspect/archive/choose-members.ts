export interface ListedFile {
  readonly name: string;
  readonly size: number;
}

const mostChosen = 40;
const mostOfEnding = 8;

/** Files of all endings, of each the largest first: looking into all of them would take long. */
export function chooseMembers(files: readonly ListedFile[]): ListedFile[] {
  if (files.length <= mostChosen) return [...files];
  const byEnding = new Map<string, ListedFile[]>();
  for (const file of files) {
    const ending = /\.([^./]{1,12})$/.exec(file.name)?.[1]?.toLowerCase() ?? '';
    const known = byEnding.get(ending);
    if (known === undefined) byEnding.set(ending, [file]);
    else known.push(file);
  }
  const chosen: ListedFile[] = [];
  const groups = [...byEnding.values()].map((group) => group.toSorted((a, b) => b.size - a.size));
  for (let i = 0; i < mostOfEnding; i++) {
    for (const group of groups) {
      const file = group[i];
      if (file !== undefined && chosen.length < mostChosen) chosen.push(file);
    }
  }
  return chosen;
}
