// without letters and digits that are confused when read aloud
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** 16 characters of 56: more than 92 bits. */
export function newPassword(length = 16): string {
  const limit = 256 - (256 % alphabet.length); // bytes above it would favour some characters
  let password = '';
  while (password.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < limit && password.length < length) password += alphabet[byte % alphabet.length];
    }
  }
  return password;
}
