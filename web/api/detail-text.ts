/** Sentences of the service about options and names, with what they name. */
const sentences = {
  viewerOption: /^The map viewer does not know this option\. Did you mean (?<name>\S+)\?$/,
  jobOption: /^The job type does not know this option\.$/,
  jobOptionLike: /^The job type does not know this option\. Did you mean (?<name>\S+)\?$/,
  unknownName: /^It names “(?<name>[^”]*)”, which no module of the app has in its (?<list>[^.]*)\.$/,
  elsewhere:
    /^This module has no “(?<name>[^”]*)” in \/(?<list>\S*)\. Another module of the app must provide it\.$/,
  otherType: /^Its datasource is of the type (?<type>\w+), which needs (?<layer>[^.]*)\.$/,
  neverShown: /^The layer “(?<name>[^”]*)” needs a map of one of these types: (?<types>[^.]*)\.$/,
} as const;

/** A detail of the service in the language of the user; undefined for sentences without a translation. */
export function detailText(
  detail: string,
  t: (key: string, named: Readonly<Record<string, string>>) => string,
): string | undefined {
  for (const [key, sentence] of Object.entries(sentences)) {
    const found = sentence.exec(detail);
    if (found) return t(`api.details.${key}`, { ...found.groups });
  }
  return undefined;
}
