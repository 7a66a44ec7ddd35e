-- Access tokens have a name and a scope, and belong to a person or to a project. The token of a project has an account of
-- its own, which nobody can sign in to.
alter table user_account add column project_id text references project (id) on delete cascade;
create index user_account_project on user_account (project_id) where project_id is not null;

create view person as select * from user_account where project_id is null;

alter table token drop constraint token_kind_check;
alter table token add constraint token_kind_check check (kind in ('bearer', 'session', 'access'));
alter table token add column name text not null default '';
alter table token add column scope text not null default 'write' check (scope in ('read', 'write'));
alter table token add column project_id text references project (id) on delete cascade;
create index token_project on token (project_id) where project_id is not null;
