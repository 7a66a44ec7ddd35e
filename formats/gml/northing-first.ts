/** Whether the authority puts the northing or latitude first. */
export function isNorthingFirst(srsName: string): boolean {
  const code = Number(/(\d+)$/.exec(srsName)?.[1]);
  return code >= 4000 && code < 5000;
}
