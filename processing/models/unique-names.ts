/** Inputs under names of their own: files of several with one name must not be mistaken for each other. */
export function withUniqueNames<T extends { readonly name: string }>(inputs: readonly T[]): T[] {
  const used = new Set<string>();
  return inputs.map((input) => {
    let { name } = input;
    for (let number = 2; used.has(name); number++) name = `${input.name} (${number})`;
    used.add(name);
    return { ...input, name };
  });
}
