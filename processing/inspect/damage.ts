/** @param fault a phrase to follow a colon, such as the message of a BytesError */
export function damage(file: string, fault: string): string {
  return `${file} is damaged: ${fault}. Upload it again, or export it again.`;
}
