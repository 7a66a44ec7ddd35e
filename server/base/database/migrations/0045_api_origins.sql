-- Websites of which pages may call the API with a token.
alter table service_settings add column api_origins text[] not null default '{}';
