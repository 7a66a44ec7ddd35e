export interface ListedFile {
  readonly name: string;
  readonly size: number;
}

const maxMembers = 40;
const maxPerExtension = 8;

/** Chooses files of every extension, the largest first, because inspecting all of them would take too long. */
export function chooseMembers(files: readonly ListedFile[]): ListedFile[] {
  if (files.length <= maxMembers) return [...files];
  const byEnding = new Map<string, ListedFile[]>();
  for (const file of files) {
    const ending = /\.([^./]{1,12})$/.exec(file.name)?.[1]?.toLowerCase() ?? '';
    const known = byEnding.get(ending);
    if (known === undefined) byEnding.set(ending, [file]);
    else known.push(file);
  }
  const chosen: ListedFile[] = [];
  const groups = [...byEnding.values()].map((group) => group.toSorted((a, b) => b.size - a.size));
  for (let i = 0; i < maxPerExtension; i++) {
    for (const group of groups) {
      const file = group[i];
      if (file !== undefined && chosen.length < maxMembers) chosen.push(file);
    }
  }
  return chosen;
}
