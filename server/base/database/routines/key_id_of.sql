-- The ID of the key that sealed a secret. A sealed secret (server/base/secrets/secrets.ts) has a version byte, 8 bytes
-- of key ID, nonce, tag and ciphertext.
create or replace function key_id_of(secret bytea) returns text language sql immutable as $$
  select encode(substring(secret from 2 for 8), 'hex')
$$;
