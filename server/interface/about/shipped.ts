/** A component of a CycloneDX document, as `npm sbom` writes it. */
export interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly { readonly license?: { readonly id?: string; readonly name?: string } }[];
}

/** A software bill of materials in the format CycloneDX. */
export interface BillOfMaterials {
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** The packages in the tables of docs/dependencies.md, below the heading “Shipped”. */
export function shippedNames(markdown: string): string[] {
  const [, section = ''] = /^## Shipped$([^]*?)^## /m.exec(markdown) ?? [];
  return [...section.matchAll(/^\|(.+?)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  );
}

/** These packages and all that they bring along, by name. The name of an alias is that of the alias. */
export function shippedComponents(bill: BillOfMaterials, names: readonly string[]): Component[] {
  const dependsOn = new Map(bill.dependencies.map(({ ref, dependsOn: refs }) => [ref, refs]));
  const wanted = new Set(names);
  const reached = new Set<string>();
  const open = bill.components.filter(({ name }) => wanted.has(name)).map((it) => it['bom-ref']);
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    if (reached.has(ref)) continue;
    reached.add(ref);
    open.push(...(dependsOn.get(ref) ?? []));
  }
  return bill.components
    .filter((it) => reached.has(it['bom-ref']) && !it.name.startsWith('@platen/'))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
