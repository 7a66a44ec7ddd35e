-- The name of a file without its folder, its case folded: a search reads all of them, and comparing bytes is what is quick.
alter table object add column folded_name text collate "C" not null
  generated always as (lower(substring(key from '[^/]*$') collate platen_text)) stored;
